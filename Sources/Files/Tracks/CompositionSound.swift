// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletTimeline
internal import Synchronization

/// A composition with its mix, as a sound that items play.
package final class CompositionSound: Sendable {
  package let composition: Composition
  package let mix: AudioMix
  /// The channels that the tracks are mixed to.
  package let channelCount: Int

  private struct State {
    /// What is known of the files, so that a seek need not look at all of them again.
    var files: [String: AudioFileInfo] = [:]
    /// Why files could not be read any more, by their paths, and those of which that is still to be told.
    var losses: [String: FileError] = [:], untold: [String] = []
  }
  private let state: Mutex<State>

  /// - Parameter earlier: what is played until now. Its files that cannot be read any more are no reason to refuse this.
  package init(
    _ composition: Composition, mix: AudioMix, channelCount: Int, after earlier: CompositionSound? = nil
  ) {
    self.composition = composition
    self.mix = mix
    self.channelCount = max(channelCount, 1)
    let known = earlier?.state.withLock { $0 } ?? State()
    let lost = known.files.filter { known.losses[$0.key] != nil }
    state = Mutex(State(files: lost, losses: known.losses, untold: known.untold))
  }

  /// The parameters of a track that a lane of the mix can move in an item.
  package static let lanes = ["volume", "pan"]

  /// The files that the tracks play, in the order of the tracks.
  var paths: [String] { composition.tracks.flatMap { $0.segments.map(\.asset.path) } }

  /// Opens the composition at its beginning.
  ///
  /// - Parameter sampleRate: frames a second. Files of another rate are converted with the best quality, live too: a
  ///   composition sounds the same live and in files.
  /// - Throws: ``FileError`` that names the file and the track.
  func open(sampleRate: Int) throws(FileError) -> CompositionReader {
    var known = state.withLock { $0.files }
    let reader = try CompositionReader(self, sampleRate: sampleRate, knowing: &known)
    state.withLock { $0.files = known }
    return reader
  }

  /// A file cannot be read any more: its pieces are silent from now on. Told once.
  func note(loss error: FileError) {
    state.withLock { state in
      guard state.losses.updateValue(error, forKey: error.path) == nil else { return }
      state.untold.append(error.path)
    }
  }

  /// Why files could not be read any more, of those that were not told yet.
  package func takeLosses() -> [FileError] {
    state.withLock { state in
      defer { state.untold = [] }
      return state.untold.compactMap { state.losses[$0] }
    }
  }

  /// What the lanes of the mix say of a track's volume and pan, on top of the track's own mix.
  func lanes(of track: Track) -> TrackMix {
    var lanes = TrackMix()
    lanes.volume = mix.lanes[ParameterPath(node: track.id.name, parameter: "volume")] ?? lanes.volume
    lanes.pan = mix.lanes[ParameterPath(node: track.id.name, parameter: "pan")] ?? lanes.pan
    return lanes
  }
}
