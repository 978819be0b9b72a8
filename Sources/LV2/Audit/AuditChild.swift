// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import FoundationEssentials
internal import Glibc
internal import SwiftletThreads

/// The program that audits one plugin: the implementation of `swiftlet-audit-host`.
///
/// It writes each ``AuditRecord`` as a line of JSON to its standard output. The plugin's output goes to standard error.
package enum AuditChild {
  /// The exit status after a call of the plugin that did not return. The finding has been written.
  package static let hangStatus: Int32 = 3
  /// The exit status of a program that was started without an order.
  package static let usageStatus: Int32 = 2
  /// The process's floating-point mode at startup, in which denormals are not flushed.
  static let plainFloatMode = rt_float_mode()

  /// Audits as the order, the only argument, specifies.
  ///
  /// - Returns: The program's exit status.
  package static func run(_ arguments: [String]) -> Int32 {
    guard arguments.count == 1,
      let order = try? JSONDecoder().decode(AuditOrder.self, from: Data(arguments[0].utf8))
    else { return usageStatus }
    _ = plainFloatMode
    let results = fcntl(1, F_DUPFD_CLOEXEC, 16)
    guard results >= 0, dup2(2, 1) >= 0 else { return 1 }
    limit(order.cpuTime)
    let output = AuditOutput(results)
    GuardTable.shared.report(to: output)
    ThreadClasses.shared.report(to: output)
    let watch = AuditWatch(output)
    watch.start()
    // Not the main thread: for each report RealtimeSanitizer asks for the thread's stack bounds, which the C library
    // reads from a file of thousands of lines for the main thread.
    JoinableThread("swiftlet-audit") { take(order, output, watch) }?.join()
    return 0
  }

  /// Runs the steps.
  private static func take(_ order: AuditOrder, _ output: AuditOutput, _ watch: AuditWatch) {
    guard let audit = PluginAudit(order, output, watch) else { return }
    // As every host does on its audio thread.
    rt_mend_float_mode()
    for step in order.steps {
      let used = SystemClock.seconds(of: CLOCK_PROCESS_CPUTIME_ID)
      // The remaining time may not suffice for a whole step, so the step is skipped completely.
      if used > order.cpuTime * 0.8 {
        audit.skip(step)
        continue
      }
      output.send(.step(step))
      guard audit.take(step) else { break }
      output.send(.stepEnd(SystemClock.seconds(of: CLOCK_PROCESS_CPUTIME_ID)))
    }
    output.send(.end)
  }

  /// Sets a limit of CPU time, after which the kernel ends this process with SIGXCPU.
  private static func limit(_ seconds: Double) {
    let whole = rlim_t(max(seconds.rounded(.up), 1))
    var bounds = rlimit(rlim_cur: whole, rlim_max: whole + 2)
    setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &bounds)
    var core = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
  }
}

/// One plugin under audit.
final class PluginAudit {
  let order: AuditOrder
  let output: AuditOutput
  let watch: AuditWatch
  let world: PluginWorld
  let model: PluginModel

  /// Reads the description; nil if there is none, which is reported.
  init?(_ order: AuditOrder, _ output: AuditOutput, _ watch: AuditWatch) {
    (self.order, self.output, self.watch) = (order, output, watch)
    let world = order.path.map { PluginWorld(path: $0) } ?? .shared
    self.world = world
    do throws(PluginError) {
      model = try world.lock.locked { () throws(PluginError) in try world.model(uri: order.uri) }
    } catch {
      output.find(.fail, .description, error.description)
      output.send(.end)
      return nil
    }
  }

  /// Runs a step.
  ///
  /// - Returns: Whether further steps are useful.
  func take(_ step: AuditStep) -> Bool {
    switch step {
    case .description: return auditDescription()
    case .load: return auditLoading()
    default: break
    }
    do throws(PluginError) {
      switch step {
      case .description, .load: break
      case .lengths: try auditLengths()
      case .rates: try auditRates()
      case .input: try auditInput()
      case .realTime: try auditRealTime()
      case .parameters: try auditParameters()
      case .determinism: try auditDeterminism()
      case .blockSize: try auditBlockSize()
      case .inPlace: try auditInPlace()
      case .latency: try auditLatency()
      case .threads: try auditThreads()
      case .state: try auditState()
      case .presets: try auditPresets()
      case .clicks: try auditClicks()
      case .cost: try auditCost()
      }
    } catch {
      output.find(.note, .skipped, "the step '\(step.rawValue)' was not taken: \(error.reason)")
    }
    return true
  }

  /// Reports that a step is skipped.
  func skip(_ step: AuditStep) {
    output.find(
      .note, .skipped,
      "the step '\(step.rawValue)' was not taken: the audit's CPU time of \(Int(order.cpuTime)) s was used up"
    )
  }

  /// Returns a new, active instance with default values.
  func rig(_ setup: AuditRig.Setup = .init()) throws(PluginError) -> AuditRig {
    let rig = try AuditRig(model, in: world, setup, watch)
    if model.uses(Name.loadDefaultState) {
      let state = try world.lock.locked { () throws(PluginError) in
        try PluginState(of: model.uri, in: world.lilv(), lock: world.lock)
      }
      if let state { rig.restore(state, watch) }
    }
    rig.activate()
    return rig
  }

  /// Announces the next action, for the report of a crash.
  func action(_ text: String) { output.send(.action(text)) }
}
