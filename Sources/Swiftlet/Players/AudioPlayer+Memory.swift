// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph

extension AudioPlayer {
  /// Plays a sound file that is in memory, as a JACK client of its own, which is closed with the player.
  ///
  /// - Parameters:
  ///   - bytes: all of the file, of any kind that ``AudioFile`` reads.
  ///   - name: the client's name, with a number appended if it is taken; default: `player`.
  ///   - server: the server's name; default: `JACK_DEFAULT_SERVER`, otherwise JACK's default server.
  ///   - enablesRate: whether sound passes the stretcher from its first frame on; default: false.
  ///   - followsTransport: whether it plays where the transport is, while that rolls; default: false.
  /// - Throws: ``EngineError/file(_:)``, ``EngineError/jack(_:)``.
  public convenience init(
    bytes: some Collection<UInt8>, name: String = "player", server: String? = nil, enablesRate: Bool = false,
    followsTransport: Bool = false
  ) throws(EngineError) {
    try self.init(
      try ClipSound(bytes: bytes), try AudioEngine(client: name, server: server), nil, enablesRate,
      followsTransport,
      ownsEngine: true)
  }

  /// Plays a sound file that is in memory on an existing engine.
  ///
  /// - Parameter bytes: all of the file, of any kind that ``AudioFile`` reads.
  ///
  /// The other parameters are those of the initializer for a file on disk.
  /// - Throws: ``EngineError/file(_:)``, ``EngineError/graph(_:)``.
  package convenience init(
    bytes: some Collection<UInt8>, on engine: AudioEngine, to output: AudioNode? = nil,
    enablesRate: Bool = false,
    followsTransport: Bool = false
  ) throws(EngineError) {
    try self.init(
      try ClipSound(bytes: bytes), engine, output, enablesRate, followsTransport, ownsEngine: false)
  }
}

extension ClipSound {
  fileprivate init(bytes: some Collection<UInt8>) throws(EngineError) {
    self = .bytes(try readingFile { () throws(FileError) in try MemoryFile(bytes) })
  }
}
