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
    let stretch = stretch.withinRanges, lead = StreamSource.lead(at: Double(clip.sampleRate))
    let reader = try StretchingReader(clip, stretch, isBest: isOffline, isReady: isReady)
    // At another speed a clip becomes longer than it is.
    let length = reader.length ?? room, isFixed = stretch == Stretch() && !isReady
    // A short clip may be slowed down while it plays, and is then read as far ahead as any.
    let most = length < lead ? min(length * mostSlowed, lead) : length
    if place > 0 { try reader.seek(to: place) }
    return try makeSource(
      reader, capacity: isFixed ? min(room, max(most, 1)) : room, isOffline: isOffline,
      // Of short ones there may be hundreds.
      records: (reader.length ?? .max) < 8192 ? 128 : 1024, prepare)
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
    return try makeSource(reader, capacity: room, isOffline: isOffline)
  }

  /// The absolute frame before which a clip of so many frames will have been played whose speed follows lanes; nil
  /// while it is not played.
  package func end(of source: StreamSource, length: Int) -> Int64? { stream(of: source)?.end(of: length) }

  /// Fills a source at once, where its turn would come soon: one that was just sent elsewhere. Control thread; reads
  /// from disk.
  package func fill(_ source: StreamSource) { stream(of: source)?.fill(atLeast: source.lead) }
}

/// By how much a sound is slowed down at most, by its speed and its varispeed together.
private let mostSlowed = 16
