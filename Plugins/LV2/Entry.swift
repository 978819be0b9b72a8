// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Where an LV2 bundle begins: compiled together with the units and their `forEachUnit`, by Scripts/lv2-bundle.

public import CSwiftletLV2
internal import SwiftletLV2Export

private let exports: PluginExports = {
  var exports = PluginExports()
  forEachUnit(&exports)
  return exports
}()

/// What a host looks for in a bundle's shared object.
@c(lv2_descriptor) public func descriptor(at index: UInt32) -> UnsafePointer<LV2_Descriptor>? {
  unsafe exports.descriptor(index)
}

/// Linked as a program, the same objects write their own description: `PROGRAM FOLDER BINARY`.
@c(main) public func describe(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
  guard count == 3, let folder = unsafe arguments[1], let binary = unsafe arguments[2] else { return 2 }
  return unsafe exports.writeTurtle(into: String(cString: folder), binary: String(cString: binary)) ? 0 : 1
}
