// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc

/// The audio buffer of a port between two inaccessible pages.
///
/// A block adjoins one of the two pages, so that an access past that end crashes the plugin. If the block's length is
/// not a multiple of four frames, up to three samples lie between its end and the page. They are checked after each
/// run instead.
final class GuardedBuffer {
  /// The page that a block adjoins.
  enum Placement: Sendable { case end, start }

  let port: PluginPort
  private let memory: MappedMemory
  private let length: Int
  /// The value of the samples after the block while they are checked.
  private static let canary = Float(bitPattern: 0x4B1D_5EED)

  /// Allocates a buffer of at least `byteCount` bytes; nil if there is no memory.
  init?(_ port: PluginPort, byteCount: Int) {
    guard let memory = MappedMemory(guarded: byteCount) else { return nil }
    self.port = port
    self.memory = memory
    length = memory.size - 2 * IsolatedAreas.page
    GuardTable.shared.add(memory, "the buffer of its port '\(port.symbol)'")
  }

  deinit { GuardTable.shared.remove(memory) }

  /// The first accessible byte.
  var base: UnsafeMutableRawPointer { memory.base + IsolatedAreas.page }
  /// The number of accessible bytes.
  var capacity: Int { length }

  /// The memory of a block of `frames` frames, aligned to 16 bytes as in all hosts.
  func block(_ frames: Int, at placement: Placement) -> UnsafeMutableBufferPointer<Float> {
    let padded = (frames + 3) & ~3
    let start = placement == .start ? base : base + length - padded * 4
    return UnsafeMutableBufferPointer(
      start: start.assumingMemoryBound(to: Float.self), count: frames)
  }

  /// Fills the samples between the block and the page after it with the canary.
  func plant(behind block: UnsafeMutableBufferPointer<Float>) {
    guard let start = block.baseAddress else { return }
    for frame in block.count..<((block.count + 3) & ~3) { start[frame] = Self.canary }
  }

  /// Whether those samples are unchanged.
  func isIntact(behind block: UnsafeMutableBufferPointer<Float>) -> Bool {
    guard let start = block.baseAddress else { return true }
    return (block.count..<((block.count + 3) & ~3)).allSatisfy {
      start[$0].bitPattern == Self.canary.bitPattern
    }
  }
}

/// The guard pages of the auditing process, and the records that its signal handler writes when one is accessed.
// @unchecked: one thread creates buffers; the handler reads on the crashed thread.
final class GuardTable: @unchecked Sendable {
  static let shared = GuardTable()

  private struct Row {
    var page: UInt
    var line: UnsafeMutableBufferPointer<UInt8>
  }

  private static let most = 4096
  private let rows = UnsafeMutablePointer<Row>.allocate(capacity: most)
  private var count = 0
  private var output: AuditOutput?
  /// The record of a crash's location: its parts before and after the location.
  private var recordParts: (before: UnsafeMutablePointer<CChar>?, after: UnsafeMutablePointer<CChar>?)
  private let process = getpid()

  /// Reports the location of a crash, and the guard page that was accessed, to `output`.
  func report(to output: AuditOutput) {
    let parts = String(decoding: output.line(.location("@")), as: UTF8.self).split(
      separator: "@", maxSplits: 1)
    self.output = output
    if parts.count == 2 { recordParts = (strdup(String(parts[0])), strdup(String(parts[1]))) }
    swiftlet_prepare_locations()
    var action = sigaction()
    action.__sigaction_handler.sa_sigaction = { number, facts, context in
      GuardTable.shared.reportCrash(number, facts, context)
      signal(number, SIG_DFL)
      // A faulting instruction is executed again and ends the process. A signal that was sent is raised again.
      if number == SIGTRAP || (facts?.pointee.si_code ?? 0) <= 0 { raise(number) }
    }
    action.sa_flags = SA_SIGINFO | SA_ONSTACK
    for number in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP] { sigaction(number, &action, nil) }
  }

  func add(_ memory: MappedMemory, _ name: String) {
    guard let output, count + 2 <= Self.most else { return }
    let page = UInt(IsolatedAreas.page), first = UInt(bitPattern: memory.base)
    for (address, end) in [(first, "beginning"), (first + UInt(memory.size) - page, "end")] {
      let line = output.line(.fault("it reads or writes past the \(end) of \(name)"))
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.count)
      _ = copy.initialize(from: line)
      (rows + count).initialize(to: Row(page: address, line: copy))
      count += 1
    }
  }

  func remove(_ memory: MappedMemory) {
    let first = UInt(bitPattern: memory.base), pages = first..<first + UInt(memory.size)
    var kept = 0
    for row in 0..<count {
      if pages.contains(rows[row].page) {
        rows[row].line.deallocate()
      } else {
        rows[kept] = rows[row]
        kept += 1
      }
    }
    count = kept
  }

  /// Runs in the signal handler.
  private func reportCrash(
    _ number: Int32, _ facts: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    // A process that the plugin has forked reports nothing.
    guard let output, let facts, getpid() == process else { return }
    if number == SIGSEGV { reportAccess(at: UInt(bitPattern: facts.pointee._sifields._sigfault.si_addr)) }
    swiftlet_print_location(output.descriptor, recordParts.before, recordParts.after, number, facts, context)
  }

  private func reportAccess(at address: UInt) {
    let page = UInt(IsolatedAreas.page)
    for row in 0..<count where address >= rows[row].page && address - rows[row].page < page {
      _ = write(output?.descriptor ?? 2, rows[row].line.baseAddress, rows[row].line.count)
      return
    }
  }
}
