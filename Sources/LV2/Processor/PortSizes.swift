// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime

/// The sizes of an instance's port buffers, and the feature by which the plugin requests larger ones.
///
/// Event buffers are allocated after `instantiate`, so a plugin can enlarge them there. Later requests succeed if the
/// buffer has that size already: a buffer is never moved while the plugin uses it.
final class PortSizes {
  struct Table {
    var count: Int
    /// The sizes in bytes, and the largest sizes that the plugin may request.
    var sizes: UnsafeMutablePointer<Int>, limits: UnsafeMutablePointer<Int>

    /// Answers a request. Audio thread, or a control thread in `instantiate`.
    @_noLocks @_noAllocation func resize(_ port: UInt32, to size: Int) -> LV2_Resize_Port_Status {
      guard Int(port) < count else { return LV2_RESIZE_PORT_ERR_UNKNOWN }
      if size <= sizes[Int(port)] { return LV2_RESIZE_PORT_SUCCESS }
      guard size <= limits[Int(port)] else { return LV2_RESIZE_PORT_ERR_NO_SPACE }
      sizes[Int(port)] = size
      return LV2_RESIZE_PORT_SUCCESS
    }
  }

  /// LV2's feature, which the plugin calls.
  let feature: UnsafeMutablePointer<LV2_Resize_Port_Resize>
  private let table: UnsafeMutablePointer<Table>

  /// - Parameters:
  ///   - longest: The size of an audio or CV buffer, in frames.
  ///   - canGrow: Whether event buffers can be enlarged until ``fix()``.
  init(_ model: PluginModel, longest: Int, canGrow: Bool) {
    let sizes = UnsafeMutablePointer<Int>.allocate(capacity: max(model.ports.count, 1))
    let limits = UnsafeMutablePointer<Int>.allocate(capacity: max(model.ports.count, 1))
    for (index, port) in model.ports.enumerated() {
      let size = port.bufferSize(longest: longest)
      (sizes + index).initialize(to: size)
      (limits + index).initialize(to: canGrow && port.kind == .atom ? PluginModel.longestSequence : size)
    }
    table = .allocate(capacity: 1)
    table.initialize(to: Table(count: model.ports.count, sizes: sizes, limits: limits))
    feature = .allocate(capacity: 1)
    feature.initialize(to: LV2_Resize_Port_Resize(data: table, resize: resizePort))
  }

  deinit {
    table.pointee.sizes.deallocate()
    table.pointee.limits.deallocate()
    table.deallocate()
    feature.deallocate()
  }

  /// The size of a port's buffer in bytes.
  subscript(port: Int) -> Int {
    get { table.pointee.sizes[port] }
    set { table.pointee.sizes[port] = newValue }
  }

  /// Ends the time in which buffers can be enlarged. Control thread, before the first run.
  func fix() {
    for port in 0..<table.pointee.count { table.pointee.limits[port] = 0 }
  }
}

extension PluginPort {
  /// The size of the port's buffer in bytes, unless the plugin requests another.
  func bufferSize(longest: Int) -> Int {
    switch kind {
    case .audio, .cv: longest * 4
    case .control: 4
    case .atom: (max(minimumSize, PluginBody.sequenceSize) + 7) & ~7
    case .unsupported: 0
    }
  }
}

private func resizePort(
  _ data: LV2_Resize_Port_Feature_Data?, _ port: UInt32, _ size: Int
) -> LV2_Resize_Port_Status {
  guard let table = data?.assumingMemoryBound(to: PortSizes.Table.self) else {
    return LV2_RESIZE_PORT_ERR_UNKNOWN
  }
  return table.pointee.resize(port, to: size)
}
