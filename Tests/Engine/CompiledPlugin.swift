// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Makes an LV2 bundle in a folder: the plugin's description, and its C source, compiled to `NAME.so`.
func compilePlugin(_ name: String, in bundle: String, manifest: String, code: String) throws {
  try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
  try manifest.write(toFile: bundle + "/manifest.ttl", atomically: true, encoding: .utf8)
  try code.write(toFile: "\(bundle)/\(name).c", atomically: true, encoding: .utf8)
  let compiler = Process()
  compiler.executableURL = URL(filePath: "/usr/bin/env")
  compiler.arguments = ["cc", "-shared", "-fPIC", "-w", "-o", "\(bundle)/\(name).so", "\(bundle)/\(name).c"]
  try compiler.run()
  compiler.waitUntilExit()
  try #require(compiler.terminationStatus == 0, "the C of '\(name)' does not compile")
}
