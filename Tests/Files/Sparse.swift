// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

@testable import SwiftletFiles

/// Files larger than a test's disk: their holes read as silence and take no space.
enum Sparse {
  /// Writes an RF64 file of 24 bits and two channels with `frames` frames: `sound` at the beginning, silence, and
  /// `ending` as the last frames.
  static func write(_ path: String, frames: Int, sound: [[Float]], ending: [[Float]]) throws {
    let format = RecordingFormat(container: .rf64, encoding: .int24)
    let writer = try AudioFileWriter(path, format: format, sampleRate: 48_000, channelCount: 2)
    try writer.write(sound)
    try writer.close()
    let start = try WaveFile(path, writable: false).dataOffset
    let tail = path + ".tail"
    let last = try AudioFileWriter(tail, format: format, sampleRate: 48_000, channelCount: 2)
    try last.write(ending)
    try last.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: tail))
    let from = try WaveFile(tail, writable: false).dataOffset, size = ending[0].count * 6
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: UInt64(start + frames * 6))
    try handle.seek(toOffset: UInt64(start + frames * 6 - size))
    try handle.write(contentsOf: bytes[from..<from + size])
    try handle.close()
    try FileManager.default.removeItem(atPath: tail)
    try WaveFile(path, writable: true).repair(frames: frames)
  }
}
