// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Glibc

/// The LV2 state interface of isolated instances, in the host. The child saves and restores; keys, values and paths
/// pass through the socket.
enum IsolatedState {
  /// Shared by all instances: it has no state of its own, and lasts as long as the process.
  nonisolated(unsafe) static let interface: UnsafeMutablePointer<LV2_State_Interface> = {
    let interface = UnsafeMutablePointer<LV2_State_Interface>.allocate(capacity: 1)
    interface.initialize(to: LV2_State_Interface(save: saveIsolated, restore: restoreIsolated))
    return interface
  }()

  /// The path features that the host provides while an instance saves or restores.
  struct Paths {
    private var map: LV2_State_Map_Path?, make: LV2_State_Make_Path?, free: LV2_State_Free_Path?

    init(_ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?) {
      var next = features
      while let feature = next?.pointee {
        let data = feature.pointee.data
        switch String(cString: feature.pointee.URI) {
        case Name.mapPath: map = data?.assumingMemoryBound(to: LV2_State_Map_Path.self).pointee
        case Name.makePath: make = data?.assumingMemoryBound(to: LV2_State_Make_Path.self).pointee
        case Name.freePath: free = data?.assumingMemoryBound(to: LV2_State_Free_Path.self).pointee
        default: break
        }
        next = next.map { $0 + 1 }
      }
    }

    /// Answers a request for a path; nil if the message is none. If the host lacks a feature, the path is returned
    /// unchanged.
    func answer(_ question: IsolationMessage) -> IsolationMessage? {
      let path = question.text
      let found: UnsafeMutablePointer<CChar>?
      switch question.kind {
      case .abstractPath:
        guard let map, let abstract = map.abstract_path else {
          return .init(kind: .answer, bytes: question.bytes)
        }
        found = abstract(map.handle, path)
      case .absolutePath:
        guard let map, let absolute = map.absolute_path else {
          return .init(kind: .answer, bytes: question.bytes)
        }
        found = absolute(map.handle, path)
      case .makePath: found = make.flatMap { make in make.path.flatMap { $0(make.handle, path) } }
      default: return nil
      }
      guard let found else { return .init(kind: .nothing) }
      defer { if let free, let call = free.free_path { call(free.handle, found) } else { Glibc.free(found) } }
      return .init(kind: .answer, bytes: Array(String(cString: found).utf8))
    }
  }
}

private func saveIsolated(
  _ handle: LV2_Handle?, _ store: LV2_State_Store_Function?, _ target: LV2_State_Handle?, _ flags: UInt32,
  _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> LV2_State_Status {
  guard let instance = IsolatedInstance.of(handle), let store else { return LV2_STATE_ERR_UNKNOWN }
  let paths = IsolatedState.Paths(features)
  let done = instance.child.request(.init(kind: .save, number: UInt32(instance.number))) { question in
    paths.answer(question) ?? .init(kind: .nothing)
  }
  guard let done else { return LV2_STATE_ERR_UNKNOWN }
  var status = LV2_STATE_SUCCESS
  for property in StateSnapshot.properties(in: done.bytes) {
    let result = property.bytes.withUnsafeBytes {
      store(target, property.number, $0.baseAddress, $0.count, property.type, property.flags)
    }
    if result != LV2_STATE_SUCCESS { status = result }
  }
  return done.number == 0 ? status : LV2_State_Status(rawValue: done.number)
}

private func restoreIsolated(
  _ handle: LV2_Handle?, _ retrieve: LV2_State_Retrieve_Function?, _ source: LV2_State_Handle?,
  _ flags: UInt32, _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> LV2_State_Status {
  guard let instance = IsolatedInstance.of(handle), let retrieve else { return LV2_STATE_ERR_UNKNOWN }
  let paths = IsolatedState.Paths(features)
  let done = instance.child.request(.init(kind: .restore, number: UInt32(instance.number), flags: flags)) {
    question in
    guard question.kind == .retrieve else { return paths.answer(question) ?? .init(kind: .nothing) }
    var size = 0, type: UInt32 = 0, flags: UInt32 = 0
    guard let value = retrieve(source, question.number, &size, &type, &flags) else {
      return .init(kind: .nothing)
    }
    return .init(
      kind: .answer, type: type, flags: flags,
      bytes: Array(UnsafeRawBufferPointer(start: value, count: size)))
  }
  return done.map { LV2_State_Status(rawValue: $0.number) } ?? LV2_STATE_ERR_UNKNOWN
}

extension StateSnapshot {
  /// The properties serialized for a socket: for each one the key, type, flags and size, then the bytes.
  var serialized: [UInt8] {
    var bytes: [UInt8] = []
    for property in properties {
      for number in [property.key, property.type, property.flags, UInt32(clamping: property.bytes.count)] {
        withUnsafeBytes(of: number) { bytes += $0 }
      }
      bytes += property.bytes
    }
    return bytes
  }

  /// Deserializes properties from ``serialized``. Drops a truncated property.
  static func properties(in bytes: [UInt8]) -> [IsolationMessage] {
    var found: [IsolationMessage] = []
    var rest = bytes[...]
    while rest.count >= 16 {
      let head = rest.withUnsafeBytes { bytes in
        (0..<4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
      }
      rest = rest.dropFirst(16)
      guard Int(head[3]) <= rest.count else { break }
      found.append(
        IsolationMessage(
          kind: .answer, number: head[0], type: head[1], flags: head[2],
          bytes: Array(rest.prefix(Int(head[3])))))
      rest = rest.dropFirst(Int(head[3]))
    }
    return found
  }
}
