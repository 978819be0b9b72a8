// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2

/// The LV2 interfaces of a plugin that takes a file: worker and state.
@safe struct FileInterfaces {
  private let worker: UnsafeMutablePointer<LV2_Worker_Interface>
  private let state: UnsafeMutablePointer<LV2_State_Interface>

  /// Shared by all plugins, and never freed.
  // Never written after init.
  nonisolated(unsafe) static let shared = FileInterfaces()

  private init() {
    unsafe worker = .allocate(capacity: 1)
    unsafe worker.initialize(
      to: LV2_Worker_Interface(
        work: { handle, _, _, size, data in
          guard let handle = unsafe handle, let data = unsafe data else { return LV2_WORKER_ERR_UNKNOWN }
          unsafe Unmanaged<FileInstance>.fromOpaque(handle)._withUnsafeGuaranteedRef {
            unsafe $0.work(Int(size), data)
          }
          return LV2_WORKER_SUCCESS
        },
        work_response: { _, _, _ in LV2_WORKER_SUCCESS },
        end_run: nil))
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: LV2_State_Interface(
        save: { handle, store, target, _, features in
          guard let handle = unsafe handle, let store = unsafe store else { return LV2_STATE_ERR_UNKNOWN }
          return unsafe Unmanaged<FileInstance>.fromOpaque(handle)._withUnsafeGuaranteedRef { instance in
            unsafe instance.save(HostPaths(features)) {
              unsafe store(target, instance.types.file, $0, $1, instance.types.path, StateFlags.path)
            }
          }
        },
        restore: { handle, retrieve, source, _, features in
          guard let handle = unsafe handle, let retrieve = unsafe retrieve else {
            return LV2_STATE_ERR_UNKNOWN
          }
          return unsafe Unmanaged<FileInstance>.fromOpaque(handle)._withUnsafeGuaranteedRef { instance in
            var size = 0, type: UInt32 = 0, flags: UInt32 = 0
            guard let value = unsafe retrieve(source, instance.types.file, &size, &type, &flags) else {
              return LV2_STATE_SUCCESS
            }
            guard type == instance.types.path || type == instance.types.string else {
              return LV2_STATE_ERR_BAD_TYPE
            }
            return unsafe instance.restore(
              UnsafeRawBufferPointer(start: value, count: size), HostPaths(features))
          }
        }))
  }

  /// Returns the interface with a URI; nil if there is none.
  @unsafe func find(_ name: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
    if unsafe isNamed(name, "http://lv2plug.in/ns/ext/worker#interface") {
      return unsafe UnsafeRawPointer(worker)
    }
    if unsafe isNamed(name, "http://lv2plug.in/ns/ext/state#interface") {
      return unsafe UnsafeRawPointer(state)
    }
    return nil
  }
}

private enum StateFlags {
  /// The flags of a path in a state: plain data, and portable, since the host maps paths.
  static var path: UInt32 { LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue }
}

/// The host's mapping of paths in states to abstract paths, which stay valid when files are moved.
@safe struct HostPaths {
  private let map: LV2_State_Map_Path?
  private let free: LV2_State_Free_Path?

  @unsafe init(_ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?) {
    let map = unsafe HostFeatures.find("state#mapPath", in: features)
    unsafe self.map = map?.assumingMemoryBound(to: LV2_State_Map_Path.self).pointee
    let free = unsafe HostFeatures.find("state#freePath", in: features)
    unsafe self.free = free?.assumingMemoryBound(to: LV2_State_Free_Path.self).pointee
  }

  /// Maps a path to the form for a state; both are null-terminated.
  func abstract(_ path: [CChar]) -> [CChar] {
    guard let map = unsafe map, let spell = unsafe map.abstract_path else { return path }
    return unsafe take(path.withUnsafeBufferPointer { unsafe spell(map.handle, $0.baseAddress) }) ?? path
  }

  /// Maps a state's path to an absolute one; both are null-terminated.
  func absolute(_ path: [CChar]) -> [CChar] {
    guard let map = unsafe map, let spell = unsafe map.absolute_path else { return path }
    return unsafe take(path.withUnsafeBufferPointer { unsafe spell(map.handle, $0.baseAddress) }) ?? path
  }

  @unsafe private func take(_ text: UnsafeMutablePointer<CChar>?) -> [CChar]? {
    guard let text = unsafe text else { return nil }
    var bytes: [CChar] = [], index = 0
    while unsafe text[index] != 0 {
      unsafe bytes.append(text[index])
      index += 1
    }
    if let free = unsafe free, let release = unsafe free.free_path {
      unsafe release(free.handle, text)
    } else {
      unsafe swiftlet_free(text)
    }
    return bytes + [0]
  }
}

extension FileInstance {
  /// Passes the path to be saved to `store`, with its size in bytes. Does nothing if there is no file.
  fileprivate func save(_ paths: HostPaths, _ store: (UnsafeRawPointer, Int) -> LV2_State_Status)
    -> LV2_State_Status
  {
    let path = loads.path
    guard path.count > 1 else { return LV2_STATE_SUCCESS }
    let abstract = paths.abstract(path)
    return unsafe abstract.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return LV2_STATE_ERR_UNKNOWN }
      return unsafe store(base, bytes.count)
    }
  }

  /// Loads a state's file. If the file cannot be loaded, the path is kept, so that it is saved again.
  @unsafe fileprivate func restore(_ value: UnsafeRawBufferPointer, _ paths: HostPaths) -> LV2_State_Status {
    var path: [CChar] = []
    while path.count < value.count, unsafe value[path.count] != 0 {
      unsafe path.append(CChar(bitPattern: value[path.count]))
    }
    guard !path.isEmpty, path.count < PatchMessage.longestPath else { return LV2_STATE_ERR_UNKNOWN }
    path = paths.absolute(path + [0])
    if load(path) { return LV2_STATE_SUCCESS }
    loads.hold(path)
    return LV2_STATE_SUCCESS
  }
}
