// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The layout of a plugin's ports in the memory that host and child share. Both processes compute it from the plugin's
/// description with the same result.
struct IsolatedAreas: Equatable {
  /// A port's location in its sender's area.
  struct Port: Equatable {
    var kind: UInt32
    /// In bytes.
    var offset: Int, capacity: Int

    var isOutput: Bool {
      [
        SWIFTLET_ISOLATED_AUDIO_OUT, SWIFTLET_ISOLATED_CONTROL_OUT, SWIFTLET_ISOLATED_EVENTS_OUT,
      ].contains { $0.rawValue == kind }
    }
    /// Whether the port has pages of its own, with guard pages around them.
    var isBuffer: Bool {
      ![
        SWIFTLET_ISOLATED_NONE, SWIFTLET_ISOLATED_CONTROL_IN, SWIFTLET_ISOLATED_CONTROL_OUT,
      ].contains { $0.rawValue == kind }
    }
  }

  /// The ports of each instance, by port index.
  private(set) var ports: [[Port]] = []
  /// The sizes of the area that the host writes and of the one that the child writes, in bytes.
  private(set) var hostSize = page, childSize = page
  /// The offsets of the guard pages in the child's area.
  private(set) var guards: [Int] = []
  /// The longest block, in frames.
  let longest: Int

  static let page = 4096

  /// - Parameter sequenceSize: The size of an event buffer in bytes, unless its port requires more.
  init(_ model: PluginModel, instanceCount: Int, longest: Int, sequenceSize: Int) {
    self.longest = longest
    for _ in 0..<instanceCount {
      ports.append(
        model.ports.map { port in
          let kind = Self.kind(of: port)
          let capacity =
            switch port.kind {
            case .audio, .cv: (longest + UnconnectedPortMemory.guardFrames) * 4
            case .control: 4
            case .atom: (max(port.minimumSize, sequenceSize) + 7) & ~7
            case .unsupported: 0
            }
          var result = Port(kind: kind.rawValue, offset: 0, capacity: capacity)
          result.offset = result.isOutput ? addOutput(result) : addInput(capacity)
          return result
        })
    }
    hostSize = Self.pages(hostSize)
    childSize = Self.pages(childSize)
  }

  /// Returns a size rounded up to whole pages.
  static func pages(_ size: Int) -> Int { (size + page - 1) / page * page }

  private mutating func addInput(_ capacity: Int) -> Int {
    defer { hostSize += (capacity + 63) & ~63 }
    return hostSize
  }

  /// Adds an output. An audio or event buffer has a guard page on each side; control values lie together.
  private mutating func addOutput(_ port: Port) -> Int {
    guard port.isBuffer else {
      defer { childSize += 64 }
      return childSize
    }
    let before = Self.pages(childSize), start = before + Self.page
    let behind = start + Self.pages(port.capacity)
    guards += [before, behind]
    childSize = behind + Self.page
    return start
  }

  private static func kind(of port: PluginPort) -> swiftlet_isolated_kind {
    switch port.kind {
    case .audio, .cv: port.isInput ? SWIFTLET_ISOLATED_AUDIO_IN : SWIFTLET_ISOLATED_AUDIO_OUT
    case .control: port.isInput ? SWIFTLET_ISOLATED_CONTROL_IN : SWIFTLET_ISOLATED_CONTROL_OUT
    case .atom: port.isInput ? SWIFTLET_ISOLATED_EVENTS_IN : SWIFTLET_ISOLATED_EVENTS_OUT
    case .unsupported: SWIFTLET_ISOLATED_NONE
    }
  }
}
