// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletTimeline

/// Reads a composition with its mix: the sum of its tracks, bit for bit as an engine's output node computes it.
///
/// Volumes, ducking and pans are functions of the frame number, so a seek only sets that number, and the next frame is
/// the same as in an uninterrupted pass. A clip whose file can no longer be read is silent, and the loss is reported to
/// the sound.
final class CompositionReader: SoundReader {
  let path = "a composition"
  let sampleRate: Int
  let channelCount: Int
  var length: Int? { frameCount }
  let frameCount: Int
  private(set) var position = 0
  /// Each frame is computed from several files and automation curves.
  var isExpensive: Bool { true }

  /// A track, the mix's lanes for it, and its channel count after the lanes.
  private struct Part {
    let reader: TrackReader
    let lanes: LaneLevels?
    let width: Int
    /// Whether both channels hold the same mono sound, which the pan places between them.
    var isMono: Bool { width > reader.channelCount }
  }
  private let parts: [Part]
  private let master: LaneLevels?
  private let staged: ChannelMemory
  /// The number of frames that are mixed at once; few enough to stay in the processor's cache.
  private static let stage = 2048

  /// Creates a reader at the composition's beginning.
  ///
  /// - Parameter files: the known properties of files, by path. Those of other files are added.
  /// - Throws: ``FileError`` that names the file and the track.
  init(
    _ sound: CompositionSound, sampleRate: Int, knowing files: inout [String: AudioFileInfo]
  ) throws(FileError) {
    self.sampleRate = sampleRate
    channelCount = sound.channelCount
    var parts: [Part] = []
    for track in sound.composition.tracks {
      do throws(FileError) {
        parts.append(try Self.part(track, of: sound, sampleRate, &files))
      } catch {
        throw error.naming(track)
      }
    }
    self.parts = parts
    frameCount = parts.map { $0.reader.length ?? 0 }.max() ?? 0
    master = LaneLevels(sound.mix.declicked(sound.mix.master), sampleRate: Double(sampleRate))
    staged = ChannelMemory(channelCount: parts.map(\.width).max() ?? 0, frameCount: Self.stage)
  }

  private static func part(
    _ track: Track, of sound: CompositionSound, _ sampleRate: Int, _ files: inout [String: AudioFileInfo]
  ) throws(FileError) -> Part {
    let reader = try TrackReader(
      track, mix: sound.mix.declicked(sound.mix[track.id]), sampleRate: sampleRate, quality: .best,
      knowing: &files
    ) { path, error in sound.losses.note(path, error.naming(track)) }
    let lanes = sound.lanes(of: track), isPanned = lanes.pan != TrackMix().pan
    guard !isPanned || reader.channelCount <= 2 else {
      throw FileError(
        .unsupported, reader.path,
        "has \(reader.channelCount) channels, and a pan supports at most two; remove the pan")
    }
    return Part(
      reader: reader, lanes: LaneLevels(lanes, sampleRate: Double(sampleRate)),
      width: isPanned ? 2 : reader.channelCount)
  }

  func seek(to frame: Int) {
    position = min(max(frame, 0), frameCount)
    for part in parts { part.reader.seek(to: position) }
  }

  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    let wanted = min(count, frameCount - position)
    var done = 0
    while done < wanted {
      let run = min(wanted - done, Self.stage), target = channels.from(done)
      for index in parts.indices { try add(index, to: target, run) }
      if let master {
        let denormals = rt_flush_denormals()
        master.shape(target, count: run, from: position)
        rt_restore_denormals(denormals)
      }
      done += run
      position += run
    }
    return max(done, 0)
  }

  /// Adds the next frames of a track, shaped by its lanes.
  private func add(_ index: Int, to target: Channels, _ count: Int) throws(FileError) {
    let part = parts[index], source = staged.channels.first(part.width), own = part.reader.channelCount
    let got = try part.reader.read(into: source.first(own), count: count)
    source.from(got).clear(count - got)
    if part.isMono { source[1].update(from: source[0], count: count) }
    // Denormals are flushed to 0, as in the renderer.
    let denormals = rt_flush_denormals()
    defer { rt_restore_denormals(denormals) }
    part.lanes?.shape(source, count: count, from: position, isMono: part.isMono)
    target.mix(source, count, isAdding: index > 0)
  }
}

extension FileError {
  /// Returns the error with the name of the track that plays the file.
  fileprivate func naming(_ track: Track) -> FileError {
    FileError(kind, path, "\(detail) (track '\(track.id.name)')", mayBeUnfinishedTake: mayBeUnfinishedTake)
  }
}
