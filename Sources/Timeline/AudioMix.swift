// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The mix of a composition or a file: volume, pan and ducking of each track and of the sum, and lanes for parameters
/// of nodes.
///
///     var mix = AudioMix()
///     try mix["music"].setVolume(0.5, at: .zero)
///     try mix["music"].setVolumeRamp(from: 0.1, to: 0.9, in: .seconds(3) ..< .seconds(6))
///     mix["music"].duck(under: voice.map(\.range))
///
/// A track without an entry plays at volume 1, in the centre.
///
/// A value, for any thread but the audio thread.
public struct AudioMix: Hashable, Sendable {
  /// The mixes of the tracks, by their names.
  public private(set) var tracks: [TrackID: TrackMix] = [:]
  /// The mix of the sum; for a plain file, which has no tracks, the mix of the file.
  public var master = TrackMix()
  /// The automation lanes of parameters of nodes, in the parameters' own units.
  public var lanes: [ParameterPath: Automation] = [:]

  /// The length of a glide that smooths steps of volume, ducking and pan, from 0 to 1 s. Default: 0: steps are exact,
  /// as in AVAudioMix.
  public var declick = MediaTime.zero

  /// Creates a mix that changes nothing.
  public init() {}

  /// The mix of a track; without an entry, one that changes nothing.
  public subscript(track: TrackID) -> TrackMix {
    get { tracks[track] ?? TrackMix() }
    set { tracks[track] = newValue == TrackMix() ? nil : newValue }
  }

  /// Returns the mix of a track or the master with the declick of this mix, unless it has its own.
  package func declicked(_ part: TrackMix) -> TrackMix {
    var part = part
    if declick != .zero, part != TrackMix() { part.declick = part.declick ?? declick }
    return part
  }

  /// The automation lane of a parameter; nil if it has none.
  package subscript(lane path: ParameterPath) -> Automation? {
    get { lanes[path] }
    set { lanes[path] = newValue }
  }
}

extension AudioMix: Codable {
  private enum Key: String, CodingKey { case tracks, master, lanes, declick }

  /// Decodes the entries that are present; the others are those of ``init()``.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    for (track, mix) in try box.decodeIfPresent([TrackID: TrackMix].self, forKey: .tracks) ?? [:] {
      self[track] = mix
    }
    master = try box.decodeIfPresent(TrackMix.self, forKey: .master) ?? TrackMix()
    lanes = try box.decodeIfPresent([ParameterPath: Automation].self, forKey: .lanes) ?? [:]
    declick = try box.decodeIfPresent(MediaTime.self, forKey: .declick) ?? .zero
  }

  /// Encodes the entries that differ from ``init()``.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    if !tracks.isEmpty { try box.encode(tracks, forKey: .tracks) }
    if master != TrackMix() { try box.encode(master, forKey: .master) }
    if !lanes.isEmpty { try box.encode(lanes, forKey: .lanes) }
    if declick != .zero { try box.encode(declick, forKey: .declick) }
  }
}
