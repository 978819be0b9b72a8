// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime

extension PluginBody {
  /// Whether the plugin can be notified of another block length without being instantiated again, so that its tail is
  /// kept: no fixed length was guaranteed to it, and it has LV2's options interface.
  var acceptsBlockLengthChange: Bool {
    !model.needsWholeBlocks
      && instances.allSatisfy {
        $0.interface(Name.optionsInterface, as: LV2_Options_Interface.self)?.pointee.set != nil
      }
  }

  /// Notifies every instance of the block lengths under another layout. Call it while no instance runs. Waits for the
  /// worker's current work for at most `timeout` milliseconds.
  ///
  /// - Returns: Whether all instances accepted the lengths.
  func setBlockLength(
    _ layout: PluginLayout, _ guarantee: BlockLengthGuarantee, within timeout: Int
  ) -> Bool {
    let map = URIDMap.shared
    let keys = [Name.minBlockLength, Name.maxBlockLength, Name.nominalBlockLength].map { map.number(of: $0) }
    let lengths = [guarantee.shortest, guarantee.longest, layout.period ?? guarantee.longest].map {
      Int32($0)
    }
    func setAll() -> Bool {
      lengths.withUnsafeBufferPointer { lengths in
        let options =
          keys.indices.map { index in
            LV2_Options_Option(
              context: LV2_OPTIONS_INSTANCE, subject: 0, key: keys[index], size: 4,
              type: map.number(of: Name.atomInt), value: lengths.baseAddress.map { $0 + index })
          } + [LV2_Options_Option()]
        return instances.allSatisfy { instance in
          let interface = instance.interface(Name.optionsInterface, as: LV2_Options_Interface.self)
          return instance.call(SWIFTLET_OPTIONS) {
            interface?.pointee.set?(instance.handle, options)
          }
            == LV2_OPTIONS_SUCCESS.rawValue
        }
      }
    }
    guard whileWorkIsPaused(within: timeout, setAll) == true else { return false }
    self.layout = layout
    self.guarantee = guarantee
    return true
  }
}
