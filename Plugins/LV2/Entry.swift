// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The entry points of an LV2 bundle. Scripts/lv2-bundle compiles this file together with the effects and their
// `forEachEffect`.

public import CSwiftletLV2
internal import SwiftletLV2Export

private let exports: PluginExports = {
  var exports = PluginExports()
  forEachEffect(&exports)
  return exports
}()

/// Returns the descriptor with this index: the function that an LV2 host calls in the bundle's shared object.
@c(lv2_descriptor) public func descriptor(at index: UInt32) -> UnsafePointer<LV2_Descriptor>? {
  unsafe exports.descriptor(index)
}

/// Writes the bundle's Turtle. Linked as a program, the same objects are run as `PROGRAM FOLDER BINARY`.
@c(main) public func describe(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
  guard count == 3, let folder = unsafe arguments[1], let binary = unsafe arguments[2] else { return 2 }
  return unsafe exports.writeTurtle(into: String(cString: folder), binary: String(cString: binary)) ? 0 : 1
}
