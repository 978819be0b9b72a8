// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Movies whose pictures are identified by their grey level: picture N is as bright as N modulo 100, and black is none.
struct NumberedMovie {
  let folder: String

  /// Runs a shell command in the folder, and returns its output.
  @discardableResult
  func shell(_ line: String) throws -> Data {
    let process = Process(), output = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "cd \"$0\" && " + line, folder]
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(line)")
    return data
  }

  func words(_ line: String) throws -> String {
    String(decoding: try shell(line), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Makes a movie with a keyframe every fifty pictures, silent except for a beep from `beep` seconds on.
  @discardableResult
  func make(
    _ name: String, rate: String = "25", seconds: Int = 10, size: String = "64x48", beep: String = "3",
    _ options: String = "-c:v libx264 -g 50 -keyint_min 50 -sc_threshold 0 -bf 2 -c:a alac"
  ) throws -> String {
    let grey = "geq=lum='16+2*(1+mod(N\\,100))':cb=128:cr=128"
    let tone = "if(between(t\\,\(beep)\\,\(beep)+0.1)\\,0.7*cos(2*PI*1000*(t-\(beep)))\\,0)"
    try shell(
      """
      ffmpeg -v error -f lavfi -i "color=c=black:s=\(size):r=\(rate):d=\(seconds),\(grey)" \
      -f lavfi -i "aevalsrc='\(tone)':s=48000:d=\(seconds)" -pix_fmt yuv420p \(options) \(name)
      """)
    return "\(folder)/\(name)"
  }

  /// Returns the numbers of a movie's pictures as `ffmpeg` decodes them, with 0 for black.
  func numbers(_ name: String) throws -> [Int] {
    let bytes = try shell(
      "ffmpeg -v error -i \(name) -map 0:V:0 -vf scale=2:2 -vsync passthrough -pix_fmt yuv420p -f rawvideo -")
    return stride(from: 0, to: bytes.count, by: 6).map { (Int(bytes[bytes.startIndex + $0]) - 16 + 1) / 2 }
  }

  /// Returns the number of the picture with index `picture`.
  static func number(_ picture: Int) -> Int { 1 + picture % 100 }

  /// Returns one channel of a movie's sound as `ffmpeg` decodes it.
  func sound(_ name: String) throws -> [Float] {
    let bytes = try shell("ffmpeg -v error -i \(name) -map 0:a:0 -ac 1 -f f32le -")
    return bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 3, by: 4).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Float.self)
      }
    }
  }

  /// Returns a field of one of a movie's streams, as `ffprobe` reports it.
  func probe(_ name: String, _ stream: String, _ field: String) throws -> String {
    try words("ffprobe -v error -select_streams \(stream) -show_entries stream=\(field) -of csv=p=0 \(name)")
  }
}
