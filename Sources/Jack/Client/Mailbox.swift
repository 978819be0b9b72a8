// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Synchronization

/// The queue from JACK's notification thread to the client's control thread, which does the work that is not allowed
/// in a callback.
// @unchecked: the semaphore is created once, is freed after its last use, and may be used from any thread.
final class Mailbox: @unchecked Sendable {
  /// A notification from JACK.
  enum Notice: Sendable {
    case portCame
    case portWent(UInt32)
    case connected(PortConnection)
    case disconnected(PortConnection, source: UInt32, destination: UInt32)
    case blockLength(Int)
    case sampleRate(Double)
    case latency
    case freewheeling(Bool)
  }

  private let notices = Mutex<[Notice]>([])
  private let bell: UnsafeMutablePointer<sem_t>
  /// The number of xruns, and the bits of the last delay in microseconds, a `Float`.
  let xruns = Atomic<Int>(0), lastDelay = Atomic<UInt32>(0)
  /// Whether the server has ended, and the bits of `jack_status_t` that it reported.
  let isShutDown = Atomic<Bool>(false), shutdownStatus = Atomic<UInt32>(0)
  /// Whether the control thread must end.
  let isOver = Atomic<Bool>(false)

  init() {
    bell = .allocate(capacity: 1)
    bell.initialize(to: sem_t())
    sem_init(bell, 0, 0)
  }

  deinit {
    sem_destroy(bell)
    bell.deallocate()
  }

  /// Adds a notice and wakes the control thread.
  func post(_ notice: Notice) {
    notices.withLock { $0.append(notice) }
    ring()
  }

  /// Wakes the control thread. Safe to call from a signal handler.
  func ring() { sem_post(bell) }

  /// Waits until ``ring()`` is called, or until `seconds` have passed; without a timeout if nil.
  func wait(seconds: Double?) {
    guard let seconds else {
      while sem_wait(bell) != 0 && errno == EINTR {}
      return
    }
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    let nanoseconds = until.tv_nsec + Int((seconds.truncatingRemainder(dividingBy: 1)) * 1e9)
    until.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    until.tv_nsec = nanoseconds % 1_000_000_000
    while sem_timedwait(bell, &until) != 0 && errno == EINTR {}
  }

  /// Removes and returns all notices, in the order of their arrival.
  func takeAll() -> [Notice] {
    notices.withLock {
      let taken = $0
      $0 = []
      return taken
    }
  }
}
