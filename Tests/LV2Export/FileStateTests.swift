// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLV2
import Foundation
import SwiftletEffects
import SwiftletSignal
import Testing

@testable import SwiftletLV2Export

/// Saving and restoring the state of an exported effect that takes a file.
struct FileStateTests {
  /// One property, as a host stores it.
  private final class Store {
    var key: UInt32 = 0, type: UInt32 = 0, flags: UInt32 = 0
    var value: [UInt8] = []

    var path: String { String(decoding: value.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private func host() throws -> MinimalHost {
    let host = try MinimalHost(Convolver.self, isMono: true, hasURIDMap: true, works: true)
    host["mix"] = 100
    host.write([Float](repeating: 0.5, count: 1000), to: "in")
    return host
  }

  /// Calls `body` with features of a host that stores paths with the prefix `here:`.
  private func withPaths<Result>(_ body: (UnsafePointer<UnsafePointer<LV2_Feature>?>) -> Result) -> Result {
    var map = LV2_State_Map_Path(
      handle: nil, abstract_path: { _, path in path.flatMap { strdup("here:" + String(cString: $0)) } },
      absolute_path: { _, path in path.flatMap { strdup(String(String(cString: $0).dropFirst(5))) } })
    var free = LV2_State_Free_Path(handle: nil) { _, path in Foundation.free(path) }
    return withUnsafeMutablePointer(to: &map) { map in
      withUnsafeMutablePointer(to: &free) { free in
        MinimalHost.withFeatures(
          [
            ("state#mapPath", UnsafeMutableRawPointer(map)),
            ("state#freePath", UnsafeMutableRawPointer(free)),
          ], body)
      }
    }
  }

  private func save(_ host: MinimalHost) throws -> Store {
    let state = try #require(host.interface("state#interface", as: LV2_State_Interface.self)), store = Store()
    let status = withPaths { features in
      state.save(
        host.handle,
        { handle, key, value, size, type, flags in
          guard let handle, let value else { return LV2_STATE_ERR_UNKNOWN }
          let store = Unmanaged<Store>.fromOpaque(handle).takeUnretainedValue()
          (store.key, store.type, store.flags) = (key, type, flags)
          store.value = Array(UnsafeRawBufferPointer(start: value, count: size))
          return LV2_STATE_SUCCESS
        }, Unmanaged.passUnretained(store).toOpaque(), 0, features)
    }
    #expect(status == LV2_STATE_SUCCESS)
    return store
  }

  @discardableResult private func restore(_ store: Store, _ host: MinimalHost) throws -> LV2_State_Status {
    let state = try #require(host.interface("state#interface", as: LV2_State_Interface.self))
    return withPaths { features in
      state.restore(
        host.handle,
        { handle, key, size, type, flags in
          guard let handle, let size, let type, let flags else { return nil }
          let store = Unmanaged<Store>.fromOpaque(handle).takeUnretainedValue()
          guard store.key == key else { return nil }
          (size.pointee, type.pointee, flags.pointee) = (store.value.count, store.type, store.flags)
          return store.value.withUnsafeBytes { UnsafeRawPointer($0.baseAddress) }
        }, Unmanaged.passUnretained(store).toOpaque(), 0, features)
    }
  }

  private func made(_ path: String, type: String = "atom#Path") -> Store {
    let store = Store()
    store.key = MinimalHost.number("urn:swiftlet:convolver#response")
    store.type = Atoms.number(type)
    store.value = Array("here:\(path)".utf8) + [0]
    return store
  }

  private func heard(_ host: MinimalHost) -> Float {
    host.run(1000)
    return host.read("out_left", 1000)[999]
  }

  @Test func `restoring a state loads its file, before the first block and while it plays`() throws {
    let path = try WaveBytes().write([[0.25]])
    defer { unlink(path) }
    let first = try host()
    try restore(made(path), first)
    first.run(1)
    #expect(first.read("out_left", 1) == [0.125])
    let saved = try save(first)
    #expect(saved.path == "here:" + path && saved.type == Atoms.number("atom#Path"))
    #expect(saved.key == MinimalHost.number("urn:swiftlet:convolver#response"))
    #expect(saved.flags == LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue)
    let second = try host()
    #expect(heard(second) == 0.5)
    try restore(saved, second)
    #expect(heard(second) == 0.125)
  }

  @Test func `without a file nothing is saved, and a state without a file changes nothing`() throws {
    let path = try WaveBytes().write([[0.25]])
    defer { unlink(path) }
    let host = try host()
    #expect(try save(host).value.isEmpty)
    try restore(made(path), host)
    #expect(try restore(Store(), host) == LV2_STATE_SUCCESS)
    #expect(heard(host) == 0.125)
  }

  @Test func `the path of a missing file is kept in the state`() throws {
    let host = try host()
    #expect(try restore(made("/is/not/there.wav"), host) == LV2_STATE_SUCCESS)
    #expect(heard(host) == 0.5)
    #expect(try save(host).path == "here:/is/not/there.wav")
  }

  @Test func `a state whose value is not a path is refused`() throws {
    let host = try host()
    #expect(try restore(made("x", type: "atom#Int"), host) == LV2_STATE_ERR_BAD_TYPE)
    let empty = made("")
    empty.value = []
    #expect(try restore(empty, host) == LV2_STATE_ERR_UNKNOWN)
    empty.value = [UInt8](repeating: 65, count: 10_000)
    #expect(try restore(empty, host) == LV2_STATE_ERR_UNKNOWN)
    #expect(try save(host).value.isEmpty)
  }
}
