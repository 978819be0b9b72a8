// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletPlayback
package import SwiftletStretch

extension PrefetchThread {
  /// Makes a source that plays a clip, with its first frames ready in memory. Control thread; reads from disk.
  ///
  /// - Parameters:
  ///   - sound: the sound of the clip, just opened.
  ///   - layout: the frames that the clip plays; none beyond the sound's end.
  ///   - channelCount: the channel count of the source.
  ///   - frame: the first frame, counted from the clip's beginning through all repetitions of the loop.
  ///   - capacity: the capacity of the ring in frames, unless the clip is shorter.
  ///   - isOffline: whether the source is never read far ahead.
  ///   - stretch: speed and pitch.
  ///   - isReady: whether the sound passes the stretcher from its first frame on, even while nothing is changed.
  ///   - prepare: receives the source before anything is read into it, to set the lanes that it follows.
  /// - Throws: ``FileError`` if the clip cannot be read.
  package func makeSource(
    _ sound: sending OpenSound, _ layout: ClipLayout, channelCount: Int, from frame: Int, capacity: Int,
    isOffline: Bool, _ stretch: Stretch, isReady: Bool = false, _ prepare: (StreamSource) -> Void = { _ in }
  ) throws(FileError) -> StreamSource {
    let clip = try ClipReader(sound.reader, layout, channelCount: channelCount)
    let stretch = stretch.withinRanges, changeDelay = StreamSource.changeDelay(at: Double(clip.sampleRate))
    let reader = try StretchingReader(clip, stretch, isBest: isOffline, isReady: isReady)
    // At another speed, the clip may become longer.
    let length = reader.length ?? capacity, isFixed = stretch == Stretch() && !isReady
    // A short clip may be slowed down while it plays, and is then read as far ahead as any other.
    let most = length < changeDelay ? min(length * mostSlowed, changeDelay) : length
    if frame > 0 { try reader.seek(to: frame) }
    return try makeSource(
      reader, capacity: isFixed ? min(capacity, max(most, 1)) : capacity, isOffline: isOffline,
      // There may be hundreds of short clips.
      records: (reader.length ?? .max) < 8192 ? 128 : 1024, prepare)
  }

  /// Makes a source that plays a sequence of clips, with its first frames ready in memory, followed by endless silence.
  /// Control thread; reads from disk.
  ///
  /// - Parameters:
  ///   - channelCount: the channel count of the source.
  ///   - capacity: the capacity of the ring in frames.
  ///   - isOffline: whether the source is never read far ahead.
  ///   - isReady: whether the sound passes the stretcher from its first frame on.
  /// - Throws: ``FileError`` if there is not enough memory.
  package func makeSource(
    _ sequence: ClipSequence, channelCount: Int, sampleRate: Int, capacity: Int, isOffline: Bool,
    isReady: Bool
  ) throws(FileError) -> StreamSource {
    let clips = SequenceReader(
      sequence, channelCount: channelCount, sampleRate: sampleRate, quality: isOffline ? .best : .medium)
    let reader = try StretchingReader(clips, Stretch(), isBest: isOffline, isReady: isReady)
    return try makeSource(reader, capacity: capacity, isOffline: isOffline)
  }

  /// Returns the absolute frame by which a clip of `length` frames will have been played, if its speed follows lanes;
  /// nil while it is not playing.
  package func end(of source: StreamSource, length: Int) -> Int64? { stream(of: source)?.end(of: length) }

  /// Fills a source at once, for one that was just sent to another position. Control thread; reads from disk.
  package func fill(_ source: StreamSource) { stream(of: source)?.fill(atLeast: source.changeDelay) }
}

/// The largest factor by which speed and varispeed together slow a sound down.
private let mostSlowed = 16
