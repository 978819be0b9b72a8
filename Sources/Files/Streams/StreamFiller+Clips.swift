// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph
package import SwiftletStretch

extension StreamFiller {
  /// A source that plays a clip, with its first frames ready in memory. Control thread; reads from disk.
  ///
  /// - Parameters:
  ///   - sound: what it is cut from, just opened.
  ///   - layout: which frames it plays; none beyond the sound's end.
  ///   - channelCount: how many channels the source is to have.
  ///   - place: the frame that it begins with, counted from the clip's beginning through all turns.
  ///   - room: how many frames it is to have room for, where the clip is as long.
  ///   - isOffline: whether it is never read far ahead.
  ///   - stretch: how fast and how high it plays.
  ///   - isReady: whether it is ready for other speeds from the first frame on, also where none is asked for yet.
  ///   - prepare: is given the source before anything is read into it: to say what lanes it follows.
  /// - Throws: ``FileError``.
  package func makeSource(
    _ sound: sending OpenSound, _ layout: ClipLayout, channelCount: Int, from place: Int, room: Int,
    isOffline: Bool, _ stretch: Stretch, isReady: Bool = false, _ prepare: (StreamSource) -> Void = { _ in }
  ) throws(FileError) -> StreamSource {
    let clip = try ClipReader(sound.reader, layout, channelCount: channelCount)
    let sampleRate = clip.sampleRate, stretch = stretch.withinRanges
    let reader = try StretchingReader(clip, stretch, isBest: isOffline, isReady: isReady)
    // At another speed a clip becomes longer than it is.
    let length = reader.length, isFixed = stretch == Stretch() && !isReady
    // A short clip may be slowed down while it plays, and is then read as far ahead as any.
    let lead = StreamSource.lead(at: Double(sampleRate))
    let most = (length ?? room) < lead ? min((length ?? room) * mostSlowed, lead) : length ?? room
    let capacity = isFixed ? min(room, max(most, 1)) : room
    try Self.requireMemory(capacity, clip.channelCount, for: clip.path)
    let source = StreamSource(
      channelCount: clip.channelCount, sampleRate: Double(sampleRate), length: length, capacity: capacity,
      speed: stretch.speed, varispeed: stretch.varispeed,
      // Of short ones there may be hundreds.
      records: (length ?? .max) < 8192 ? 128 : 1024)
    if place > 0 {
      try reader.seek(to: place)
      source.begin(at: place)
    }
    prepare(source)
    return try keep(source, reader, isOffline: isOffline, atLeast: source.lead)
  }

  /// A source that plays a sequence of clips, with its first frames ready in memory, and silence behind the last.
  /// Control thread; reads from disk.
  ///
  /// - Parameters:
  ///   - channelCount: how many channels the source is to have.
  ///   - room: how many frames it has room for.
  ///   - isOffline: whether it is never read far ahead.
  ///   - isReady: whether it is ready for other speeds from the first frame on.
  /// - Throws: ``FileError``.
  package func makeSource(
    _ sequence: ClipSequence, channelCount: Int, sampleRate: Int, room: Int, isOffline: Bool, isReady: Bool
  ) throws(FileError) -> StreamSource {
    let clips = SequenceReader(
      sequence, channelCount: channelCount, sampleRate: sampleRate, quality: isOffline ? .best : .medium)
    let reader = try StretchingReader(clips, Stretch(), isBest: isOffline, isReady: isReady)
    try Self.requireMemory(room, clips.channelCount, for: clips.path)
    let source = StreamSource(
      channelCount: clips.channelCount, sampleRate: Double(sampleRate), length: nil, capacity: room)
    return try keep(source, reader, isOffline: isOffline, atLeast: source.lead)
  }

  /// The absolute frame before which a clip of so many frames will have been played whose speed follows lanes; nil
  /// while it is not played.
  package func end(of source: StreamSource, length: Int) -> Int64? { stream(of: source)?.end(of: length) }

  /// Refuses a ring for which there is no memory.
  ///
  /// - Throws: ``FileError`` that names the file.
  static func requireMemory(_ frames: Int, _ channelCount: Int, for path: String) throws(FileError) {
    let bytes = frames * channelCount * MemoryLayout<Float>.size
    guard !MemoryBudget.grants(bytes) else { return }
    throw FileError(
      .unsupported, path, "needs \(bytes >> 20) MiB of memory to be read ahead, which is more than there is")
  }

  /// Fills a source at once, where its turn would come soon: one that was just sent elsewhere. Control thread; reads
  /// from disk.
  package func fill(_ source: StreamSource) { stream(of: source)?.fill(atLeast: source.lead) }
}

/// By how much a sound is slowed down at most, by its speed and its varispeed together.
private let mostSlowed = 16
