// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Glibc
internal import SwiftletGraph

extension AuditRig {
  /// Restores the instance from a bundle's state, and sets its control inputs to the state's values.
  func restore(_ state: PluginState, _ watch: AuditWatch) {
    watch.call("restore") { () -> Void in
      let restore = { state.restore(into: self.plugin, files: self.files, schedule: self.worker?.schedules) }
      if let worker { worker.whileWorkIsPaused(within: 5000, restore) } else { restore() }
    }
    for (symbol, value) in state.values {
      if let port = model.ports.first(where: { $0.isParameter && $0.symbol == symbol }) {
        self[port.index] = value
      }
    }
  }

  /// Restores the instance from another's snapshot.
  func restore(_ state: StateSnapshot, _ watch: AuditWatch) {
    watch.call("restore") { () -> Void in
      let restore = {
        state.restore(into: self.plugin, paths: PathFeatures(self.files), schedule: self.worker?.schedules)
      }
      if let worker { worker.whileWorkIsPaused(within: 5000, restore) } else { restore() }
    }
  }

  /// Saves the instance's state; nil if it reports a failure.
  func saved(_ watch: AuditWatch) -> StateSnapshot? {
    watch.call("save") { StateSnapshot(savedBy: plugin, paths: PathFeatures(files)) }
  }

  var hasState: Bool { plugin.interface(Name.stateInterface, as: LV2_State_Interface.self) != nil }
}

extension PluginAudit {
  /// Saves the state, restores it in another instance, and compares that one's saved state.
  func auditState() throws(PluginError) {
    let one = try rig()
    guard one.hasState else { return }
    for parameter in parameters() {
      if let end = parameter.ends.last { one[parameter.port.index] = end.value }
    }
    for _ in 0..<8 { one.run(one.length(256), .noise()) }
    action("save its state")
    guard let first = one.saved(watch) else {
      return output.find(.fail, .state, "it does not save its state: its function 'save' reports an error")
    }
    try auditRoundTrip(one, "its state", .state)
    guard let two = try? rig() else { return }
    action("restore its state in another instance")
    two.restore(first, watch)
    for _ in 0..<8 { two.run(two.length(256), .noise()) }
    action("save the restored state")
    guard let second = two.saved(watch) else {
      return output.find(.fail, .state, "it does not save a state that it has restored")
    }
    compare(first, second)
  }

  private func compare(_ one: StateSnapshot, _ two: StateSnapshot) {
    func name(_ key: UInt32) -> String {
      URIDMap.shared.name(of: key).map { String(cString: $0) } ?? "property \(key)"
    }
    var lines: [String] = []
    for property in one.properties {
      guard let other = two[property.key] else {
        lines.append("\(name(property.key)) is missing")
        continue
      }
      let isSame =
        property.type == other.type && property.bytes.count == other.bytes.count
        && property.bytes.elementsEqual(other.bytes)
      if !isSame { lines.append("\(name(property.key)) is different") }
    }
    for property in two.properties where one[property.key] == nil {
      lines.append("\(name(property.key)) is new")
    }
    guard !lines.isEmpty else { return }
    output.find(
      .warn, .state, "what it saves after its state was restored differs from that state",
      Array(lines.prefix(12)))
  }
}
