// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal

/// The files that an effect is made with, opened and decoded.
struct EffectFiles {
  private let info: ProcessorInfo
  private let paths: [String: String]
  /// The files for the effect's layout, in the order of its description.
  let files: [EffectFile?]

  /// Opens the files at `paths`, whose keys are the symbols in the effect's description.
  ///
  /// - Throws: ``EngineError/unknownFile(effect:file:known:)``, ``EngineError/missingFile(effect:file:)``,
  ///   ``EngineError/file(_:)``.
  init(_ paths: [String: String], for info: ProcessorInfo, sampleRate: Double) throws(EngineError) {
    let known = info.files.map(\.symbol)
    if let unknown = paths.keys.sorted().first(where: { !known.contains($0) }) {
      throw .unknownFile(effect: info.id, file: unknown, known: known)
    }
    var files: [EffectFile?] = []
    for file in info.files {
      guard let path = paths[file.symbol] else {
        guard !file.isRequired else { throw .missingFile(effect: info.id, file: file.symbol) }
        files.append(nil)
        continue
      }
      do throws(FileError) {
        switch file.content {
        case .sound: files.append(.sound(try Sound(reading: path, sampleRate: Int(sampleRate.rounded()))))
        case .path:
          try AudioFileReader.requireRegularFile(path)
          files.append(.path(Array(path.utf8CString)))
        }
      } catch {
        throw .file(error)
      }
    }
    (self.info, self.paths, self.files) = (info, paths, files)
  }

  /// Converts an effect's error into an engine's error, which names the file if the error is about one.
  func meaning(of refusal: EffectError) -> EngineError {
    guard case .file(let index, let fault) = refusal, info.files.indices.contains(index) else {
      return .effect(name: info.id, refusal)
    }
    let symbol = info.files[index].symbol
    guard let path = paths[symbol] else { return .missingFile(effect: info.id, file: symbol) }
    return .file(FileError(.unsupported, path, fault.predicate))
  }
}
