// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Synchronization

/// What JACK's notification thread leaves for our control thread, which does
/// what must not be done in a callback.
// @unchecked: the semaphore is made once, is freed when nobody is left, and is safe to use from any thread.
final class Mailbox: @unchecked Sendable {
  /// Something that JACK told.
  enum Notice: Sendable {
    case portCame
    case portWent(UInt32)
    case connected(Cable)
    case disconnected(Cable, source: UInt32, destination: UInt32)
    case blockLength(Int)
    case sampleRate(Double)
    case latency
    case freewheeling(Bool)
  }

  private let notices = Mutex<[Notice]>([])
  private let bell: UnsafeMutablePointer<sem_t>
  /// How often the server was late, and by how many microseconds the last time.
  let xruns = Atomic<Int>(0), lastDelay = Atomic<UInt32>(0)
  /// The server has gone, and the bits of `jack_status_t` that it left.
  let isShutDown = Atomic<Bool>(false), shutdownStatus = Atomic<UInt32>(0)
  /// The control thread is to end.
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

  /// Leaves a notice and wakes the control thread.
  func post(_ notice: Notice) {
    notices.withLock { $0.append(notice) }
    ring()
  }

  /// Wakes the control thread. Safe even where JACK asks for what a signal handler may do.
  func ring() { sem_post(bell) }

  /// Waits until somebody rings, or until `seconds` have passed.
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

  /// Takes out all notices, in the order they came.
  func takeAll() -> [Notice] {
    notices.withLock {
      let taken = $0
      $0 = []
      return taken
    }
  }
}
