// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// Runs one target under libFuzzer.
///
/// usage: swiftlet-fuzz list | seeds TARGET FOLDER | run TARGET FILE... | fuzz TARGET [--planted] LIBFUZZER-ARGUMENT...
@main struct FuzzProgram {
  nonisolated(unsafe) static var target = FuzzTarget.json
  nonisolated(unsafe) static var isPlanted = false
  /// Inputs that the parser accepts, for the mutator.
  nonisolated(unsafe) static var seeds: [[UInt8]] = []

  /// The environment variable with the target for a program that libFuzzer starts.
  private static let targetVariable = "SWIFTLET_FUZZ_TARGET"

  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    // To minimise an input, libFuzzer starts the program again with libFuzzer's arguments only.
    if let name = getenv(targetVariable) { arguments = ["fuzz", String(cString: name)] + arguments }
    let command = arguments.isEmpty ? "list" : arguments.removeFirst()
    guard command != "list", !arguments.isEmpty else {
      return print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    }
    let name = arguments.removeFirst()
    guard let found = FuzzTarget.all.first(where: { $0.name == name }) else {
      print("there is no target '\(name)'")
      exit(2)
    }
    target = found
    isPlanted = arguments.contains("--planted")
    arguments.removeAll { $0 == "--planted" }
    switch command {
    case "seeds": try writeSeeds(to: arguments.first ?? ".")
    case "run":
      for path in arguments { feed([UInt8](try Data(contentsOf: URL(filePath: path)))) }
    default:
      seeds = try target.seeds()
      setenv(targetVariable, name, 1)
      fuzz([CommandLine.arguments[0], "-max_len=\(target.longest)"] + arguments)
    }
  }

  private static func writeSeeds(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (number, seed) in try target.seeds().enumerated() {
      guard target.feed(seed) else {
        print("the parser refuses seed \(number) of '\(target.name)'")
        exit(1)
      }
      try Data(seed).write(to: URL(filePath: "\(folder)/seed-\(number)"))
    }
    // The format of libFuzzer's dictionaries.
    let words = target.format.words.enumerated().map { number, word in
      "word\(number)=\""
        + word.map { "\\x" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\"\n"
    }
    try Data(words.joined().utf8).write(to: URL(filePath: "\(folder).dict"))
  }

  static func feed(_ bytes: [UInt8]) {
    _ = target.feed(bytes)
    if isPlanted { target.plantedFault(bytes) }
  }

  private static func fuzz(_ arguments: [String]) {
    var count = Int32(arguments.count)
    let words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
    for (place, word) in arguments.enumerated() { (words + place).initialize(to: strdup(word)) }
    (words + arguments.count).initialize(to: nil)
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = words
    exit(
      runFuzzer(&count, &list) { bytes, count in
        FuzzProgram.feed(bytes.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? [])
        return 0
      })
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

@_silgen_name("LLVMFuzzerMutate")
private func mutateAnyhow(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

/// libFuzzer calls this in place of its own mutations.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32) -> Int {
  var mutator = FuzzMutator(FuzzProgram.target.format, seeds: FuzzProgram.seeds, seed: seed)
  let given = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let changed = mutator.change(given, most: most), !changed.isEmpty else {
    return mutateAnyhow(bytes, count, most)
  }
  bytes.update(from: changed, count: changed.count)
  return changed.count
}
