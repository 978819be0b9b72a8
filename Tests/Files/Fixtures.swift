// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletGraph
import SwiftletSignal
import Testing

/// A folder that exists for one test.
final class Folder {
  let path: String

  init() throws {
    path = "/tmp/swiftlet-files-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  subscript(name: String) -> String { path + "/" + name }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func write(_ name: String, _ bytes: Data) throws -> String {
    try bytes.write(to: URL(fileURLWithPath: self[name]))
    return self[name]
  }
}

/// Returns the output of another program, or nil if it is not installed or fails.
func output(of program: String, _ arguments: String...) -> String? {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
  process.arguments = arguments
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return nil }
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { return nil }
  return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

func isInstalled(_ program: String) -> Bool {
  FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
}

/// Returns a sine of `frequency` with a peak of `amplitude`.
func sine(_ frequency: Double, rate: Int, count: Int, amplitude: Double = 0.5) -> [Float] {
  (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
}

/// Returns deterministic noise, in steps of the given number of bits.
func noise(_ count: Int, bits: Int = 24, seed: UInt64 = 1) -> [Float] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  let scale = Float(1 << (bits - 1))
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    let unit = Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
    return max(-1, min((unit * 0.9 * scale).rounded() / scale, 1 - 1 / scale))
  }
}

/// Runs a processor block by block, as a plan would.
// @unchecked: a test passes it from thread to thread, and uses it on one at a time.
final class BlockBackend: @unchecked Sendable {
  let processor: Processor
  /// The transport at the first frame of the next block.
  var transport = Transport()
  private let input: [UnsafeMutablePointer<Float>]
  private let output: [UnsafeMutablePointer<Float>]
  private static let longest = 8192

  init(_ processor: Processor, inputs: Int = 0, outputs: Int = 0) {
    self.processor = processor
    func make() -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: BlockBackend.longest)
      memory.initialize(repeating: 0, count: BlockBackend.longest)
      return memory
    }
    input = (0..<inputs).map { _ in make() }
    output = (0..<outputs).map { _ in make() }
  }

  deinit { for memory in input + output { memory.deallocate() } }

  /// Processes one block of the given input channels, and returns the output channels.
  @discardableResult func run(frame: Int64, count: Int, _ channels: [[Float]] = []) -> [[Float]] {
    for (memory, samples) in zip(input, channels) {
      for index in 0..<count { memory[index] = samples[index] }
    }
    var meter: Float = 0
    input.withUnsafeBufferPointer { input in
      output.withUnsafeBufferPointer { output in
        let nothing = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
        defer { nothing.deallocate() }
        let inputs = BusMemory(
          channels: input.baseAddress ?? UnsafePointer(nothing), channelCount: input.count)
        let outputs = BusMemory(
          channels: output.baseAddress ?? UnsafePointer(nothing), channelCount: output.count)
        withUnsafePointer(to: inputs) { inputs in
          withUnsafePointer(to: outputs) { outputs in
            withUnsafePointer(to: transport) { transport in
              withUnsafeMutablePointer(to: &meter) { meter in
                let memory = BlockMemory(
                  inputs: inputs, inputCount: input.isEmpty ? 0 : 1, outputs: outputs,
                  outputCount: output.isEmpty ? 0 : 1, transport: transport, meters: meter)
                withUnsafePointer(to: memory) {
                  processor.process(Block(over: $0, frameCount: count, frame: frame))
                }
              }
            }
          }
        }
      }
    }
    return output.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
  }
}
