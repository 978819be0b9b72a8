// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2
internal import SwiftletSignal

/// Creates instances of one plugin: the object behind a descriptor.
class PluginMaker {
  let plugin: ExportedPlugin

  init(_ plugin: ExportedPlugin) { self.plugin = plugin }

  /// Creates an instance; nil if the effect does not support the sample rate.
  func make(sampleRate: Double, _ host: HostFeatures) -> PluginInstance? { nil }
}

/// An LV2 descriptor, followed by the maker of its instances. A host passes back the descriptor's address.
@safe struct PluginEntry {
  var descriptor: LV2_Descriptor
  var maker: Unmanaged<PluginMaker>

  init(_ maker: PluginMaker) {
    unsafe self.maker = .passRetained(maker)
    unsafe descriptor = LV2_Descriptor(
      URI: permanent(maker.plugin.uri),
      instantiate: { entry, rate, _, features in
        guard let entry = unsafe entry else { return nil }
        let maker = unsafe UnsafeRawPointer(entry).assumingMemoryBound(to: PluginEntry.self).pointee.maker
        let host = unsafe HostFeatures(features)
        guard let instance = unsafe maker.takeUnretainedValue().make(sampleRate: rate, host) else {
          return nil
        }
        return unsafe Unmanaged.passRetained(instance).toOpaque()
      },
      connect_port: { handle, port, memory in
        guard let handle = unsafe handle else { return }
        unsafe Unmanaged<PluginInstance>.fromOpaque(handle)._withUnsafeGuaranteedRef {
          unsafe $0.connect(Int(port), to: memory)
        }
      },
      activate: { handle in
        guard let handle = unsafe handle else { return }
        unsafe Unmanaged<PluginInstance>.fromOpaque(handle)._withUnsafeGuaranteedRef { $0.activate() }
      },
      run: { handle, frameCount in
        guard let handle = unsafe handle else { return }
        unsafe Unmanaged<PluginInstance>.fromOpaque(handle)._withUnsafeGuaranteedRef {
          $0.run(Int(frameCount))
        }
      },
      deactivate: nil,
      cleanup: { handle in
        guard let handle = unsafe handle else { return }
        unsafe Unmanaged<PluginInstance>.fromOpaque(handle).release()
      },
      extension_data: nil)
    if maker.plugin.filed != nil {
      unsafe descriptor.extension_data = { unsafe FileInterfaces.shared.find($0) }
    }
  }
}

/// Returns a C string that is never freed.
private func permanent(_ text: String) -> UnsafePointer<CChar> {
  let bytes = Array(text.utf8)
  let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
  for (index, byte) in bytes.enumerated() { unsafe memory[index] = CChar(bitPattern: byte) }
  unsafe memory[bytes.count] = 0
  return unsafe UnsafePointer(memory)
}
