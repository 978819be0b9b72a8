// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import FoundationEssentials
internal import Glibc
internal import SwiftletThreads

/// The program that audits one plugin: what `swiftlet-audit-host` runs.
///
/// It writes a line of JSON for each ``AuditRecord`` to its standard output. What the plugin prints goes to standard error.
package enum AuditChild {
  /// The exit status after a call of the plugin that did not return; the finding has been written.
  package static let hangStatus: Int32 = 3
  /// The exit status of a program that was called without an order.
  package static let usageStatus: Int32 = 2
  /// How the process computed with floats when it began: denormal numbers are as they are.
  static let plainFloatMode = rt_float_mode()

  /// Audits as the order says, which is the only argument.
  ///
  /// - Returns: the program's exit status.
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
    // Not the main thread: for each report RealtimeSanitizer asks where the stack of the thread lies, which the C library
    // reads from a file of thousands of lines for the main thread.
    JoinableThread("swiftlet-audit") { take(order, output, watch) }?.join()
    return 0
  }

  /// Takes the steps.
  private static func take(_ order: AuditOrder, _ output: AuditOutput, _ watch: AuditWatch) {
    guard let audit = PluginAudit(order, output, watch) else { return }
    // As every host does for its audio thread.
    rt_mend_float_mode()
    for step in order.steps {
      let used = AuditWatch.seconds(CLOCK_PROCESS_CPUTIME_ID)
      // What remains could end anywhere: better nothing than a part.
      if used > order.cpuTime * 0.8 {
        audit.skip(step)
        continue
      }
      output.send(.step(step))
      guard audit.take(step) else { break }
      output.send(.stepEnd(AuditWatch.seconds(CLOCK_PROCESS_CPUTIME_ID)))
    }
    output.send(.end)
  }

  /// Lets the kernel end this process with SIGXCPU when it has used so much CPU time.
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

  /// Takes a step.
  ///
  /// - Returns: whether further steps make sense.
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

  /// Reports that a step is not taken.
  func skip(_ step: AuditStep) {
    output.find(
      .note, .skipped,
      "the step '\(step.rawValue)' was not taken: the audit's CPU time of \(Int(order.cpuTime)) s was used up"
    )
  }

  /// A new instance at its defaults, active.
  func rig(_ setup: AuditRig.Setup = .init()) throws(PluginError) -> AuditRig {
    let rig = try AuditRig(model, in: world, setup, watch)
    if model.asks(Name.loadDefaultState) {
      let state = try world.lock.locked { () throws(PluginError) in
        try PluginState(of: model.uri, in: world.lilv(), lock: world.lock)
      }
      if let state { rig.restore(state, watch) }
    }
    rig.activate()
    return rig
  }

  /// Tells what comes next, for the report of a crash.
  func action(_ text: String) { output.send(.action(text)) }
}
