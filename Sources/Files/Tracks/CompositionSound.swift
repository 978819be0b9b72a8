// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletTimeline
internal import Synchronization

/// A composition with its mix, as the sound of a player's items.
package final class CompositionSound: Sendable {
  package let composition: Composition
  package let mix: AudioMix
  /// The number of channels that the tracks are mixed to.
  package let channelCount: Int

  /// The properties of the files, by path, so that a seek does not open all of them again.
  private let known = Mutex<[String: AudioFileInfo]>([:])
  /// The properties of the previous version's files.
  private let earlier: [String: AudioFileInfo]
  let losses: FileLosses

  /// - Parameter earlier: the version that has been playing. If one of its files can no longer be read, this version is
  ///   accepted all the same, and that file is silent.
  package init(
    _ composition: Composition, mix: AudioMix, channelCount: Int, after earlier: CompositionSound? = nil
  ) {
    self.composition = composition
    self.mix = mix
    self.channelCount = max(channelCount, 1)
    self.earlier = earlier?.known.withLock { $0 } ?? [:]
    losses = earlier?.losses ?? FileLosses()
  }

  /// The track parameters that a lane of the mix can automate.
  package static let lanes = ["volume", "pan"]

  /// The files that the tracks play, in the order of the tracks.
  var paths: [String] { composition.tracks.flatMap { $0.segments.map(\.asset.path) } }

  /// Opens the composition at its beginning.
  ///
  /// - Parameter sampleRate: frames per second. Files of another rate are resampled at the best quality, live too: a
  ///   composition sounds the same live and in files.
  /// - Throws: ``FileError`` that names the file and the track.
  func open(sampleRate: Int) throws(FileError) -> CompositionReader {
    var known = known.withLock { $0 }
    for path in Set(paths) where known[path] == nil {
      guard let before = earlier[path] else { continue }
      do throws(FileError) {
        known[path] = try AudioFileReader(path).info
        losses.remove(path)
      } catch {
        known[path] = before
        losses.note(path, error)
      }
    }
    let reader = try CompositionReader(self, sampleRate: sampleRate, knowing: &known)
    self.known.withLock { $0 = known }
    return reader
  }

  /// Returns the losses of files that have not been reported yet.
  package func takeLosses() -> [FileError] { losses.takeUnreported() }

  /// Returns the mix's lanes for a track's volume and pan, which apply on top of the track's own mix.
  func lanes(of track: Track) -> TrackMix {
    var lanes = TrackMix()
    // The lanes of nodes always glide: see `Lane.smoothing`.
    lanes.declick = .milliseconds(5)
    lanes.volume = mix.lanes[ParameterPath(node: track.id.name, parameter: "volume")] ?? lanes.volume
    lanes.pan = mix.lanes[ParameterPath(node: track.id.name, parameter: "pan")] ?? lanes.pan
    return lanes
  }
}
