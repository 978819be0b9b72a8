// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletFiles
public import SwiftletGraph

/// A file that an export is to write.
public struct ExportFile: Sendable {
  /// Where it will be; its extension fits the format's container, or names none.
  public var path: String
  /// Container, encoding, rate and quality.
  public var format: RecordingFormat
  /// Whose sound it gets: a playback node, or any other for the sound of one of its output buses.
  public var node: AudioNode
  /// Which of the node's buses.
  public var bus: Bus
  /// The playback node of a mix that this sound is a part of, such as a stem. Where a loudness is asked for, a part
  /// is made as much louder as the mix, and not limited; all else is brought to that loudness by itself.
  public var mix: AudioNode?
  /// Whether a file that is there is replaced; else that is an error.
  public var overwrites: Bool

  /// A file of a node's sound.
  public init(
    _ path: String, format: RecordingFormat, of node: AudioNode, bus: Bus = 0, mix: AudioNode? = nil,
    overwrites: Bool = false
  ) {
    self.path = path
    self.format = format
    self.node = node
    self.bus = bus
    self.mix = mix
    self.overwrites = overwrites
  }

  /// A file of a node's sound, as a preset has it; without one its extension says what it is, and it is the best
  /// that such a file can be. Where bits are few, it is dithered: ``SwiftletFiles/RecordingFormat/isDithered``.
  ///
  /// - Throws: ``ExportError/file(_:)``: the extension names no sound format, or another than the preset's.
  public init(
    _ path: String, as preset: ExportPreset? = nil, of node: AudioNode, bus: Bus = 0, mix: AudioNode? = nil,
    overwrites: Bool = false
  ) throws(ExportError) {
    guard let preset else {
      var format = try exportingFile { () throws(FileError) in try RecordingFormat(path: path) }
      format.isDithered = true
      self.init(path, format: format, of: node, bus: bus, mix: mix, overwrites: overwrites)
      return
    }
    try preset.check(path)
    var format = preset.format
    format.isDithered = true
    self.init(path, format: format, of: node, bus: bus, mix: mix, overwrites: overwrites)
  }
}

extension ExportPreset {
  /// Checks that a file of this name can be what the preset asks for.
  ///
  /// - Throws: ``ExportError/file(_:)``: its extension names another kind of file.
  public func check(_ path: String) throws(ExportError) {
    guard let container = AudioContainer(path: path), container != format.container else { return }
    throw .file(
      FileError(
        .unsupported, path,
        "cannot be of the preset '\(name)', which is for .\(fileExtension) files; give it "
          + "that ending, or leave the preset out"))
  }
}
