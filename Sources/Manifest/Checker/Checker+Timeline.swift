// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph

/// A resolved track: its clips have positions.
struct ResolvedTrack {
  /// Whether the track is enabled. Only enabled tracks duck others.
  var isEnabled = true
  var segments: [Segment] = []
  /// The largest number of channels of its files.
  var channelCount = 1
}

extension Checker {
  /// Resolves the positions of all clips of all tracks. This precedes the resolution of nodes, because ducking needs
  /// the clips of other tracks.
  mutating func resolveTracks() {
    for node in manifest.nodes {
      guard case .track(let track) = node.kind, tracks[node.name] == nil else { continue }
      if track.clips.isEmpty {
        problems.warning(
          node.position,
          "the track '\(node.name)' has no clips, so it is silent; expected some under 'pieces', each { file: … }"
        )
      }
      tracks[node.name] = resolvedTrack(track, node.name)
    }
  }

  private mutating func resolvedTrack(_ track: Manifest.Track, _ name: String) -> ResolvedTrack? {
    var resolved = ResolvedTrack(isEnabled: track.isEnabled), isWhole = true
    for clip in track.clips {
      guard let (segment, channels) = segment(clip, after: resolved.segments.last, in: name) else {
        isWhole = false
        continue
      }
      resolved.channelCount = max(resolved.channelCount, channels)
      if let other = resolved.segments.first(where: { $0.range.overlaps(segment.range) }) {
        let overlap = CompositionError.overlap(TrackID(name), segment.range, with: other.range)
        problems.error(clip.position, "\(overlap); expected one clip at a time")
        isWhole = false
      }
      resolved.segments.append(segment)
    }
    return isWhole ? resolved : nil
  }

  /// Resolves the positions of the video clips.
  mutating func resolvedVideo() -> VideoTrack {
    var clips: [Segment] = []
    for clip in manifest.video {
      let path = ManifestPath.joined(directory, clip.file.text)
      switch catalog.movie(path) {
      case .problem(let reason):
        problems.error(clip.file.position, "found the movie '\(Document.short(path))', which \(reason)")
      case .movie(let length):
        do {
          let segment = try Segment(clip, at: path, length: length, after: clips.last)
          clips.append(segment)
          // All earlier clips are valid together, so an error belongs to this one.
          _ = try VideoTrack(clips)
        } catch {
          problems.error(clip.position, Document.short("\(error)", most: 300))
        }
      }
    }
    return (try? VideoTrack(clips)) ?? VideoTrack()
  }

  private mutating func segment(
    _ clip: Manifest.Clip, after last: Segment?, in track: String
  ) -> (Segment, channels: Int)? {
    let path = ManifestPath.joined(directory, clip.file.text)
    switch catalog.player(path) {
    case .problem(let reason, let remedy):
      problems.error(
        clip.file.position, "found the sound file '\(Document.short(path))', which \(reason)", remedy: remedy)
      return nil
    case .sound(let channels, let length):
      do {
        let segment = try Segment(clip, at: path, length: length, after: last)
        guard Stretch.speeds.contains(segment.speed) else {
          problems.error(
            clip.position,
            "found a clip that would play \(Quantity((segment.speed * 1000).rounded() / 1000)) times as fast; "
              + "expected \(Quantity(Stretch.speeds.lowerBound)) to \(Quantity(Stretch.speeds.upperBound)) times"
          )
          return nil
        }
        return (segment, channels)
      } catch {
        problems.error(clip.position, Document.short("\(error)", most: 300))
        return nil
      }
    }
  }

  /// Returns the mix of a track; nil after reporting an error.
  mutating func mix(of track: Manifest.Track, _ name: String) -> TrackMix? {
    declicked(mix(of: track.mix, name), track.declick)
  }

  /// Returns the mix of a track, or of the master if `name` is nil; nil after reporting an error.
  mutating func mix(of moves: [Manifest.MixSegment], _ name: String? = nil) -> TrackMix? {
    var mix = TrackMix(), isWhole = true, stated: PanLaw?
    var voices: [(times: [Range<MediaTime>], ducking: Ducking)] = []
    for move in moves {
      do {
        switch move.kind {
        case .volume(let from, let to):
          isWhole = try add(from, to, in: move.range, move.curve, to: &mix.volume, move.position) && isWhole
        case .pan(let from, let to, let law):
          isWhole = try add(from, to, in: move.range, move.curve, to: &mix.pan, move.position) && isWhole
          if let law {
            if let stated, stated != law {
              problems.error(
                move.position,
                "found a second pan law, '\(law.rawValue)' after '\(stated.rawValue)'; expected one"
              )
              isWhole = false
            }
            stated = law
            mix.panLaw = law
          }
        case .ducked(let from, let to):
          var ducking = mix.ducking ?? Automation(1)
          isWhole = try add(from, to, in: move.range, move.curve, to: &ducking, move.position) && isWhole
          mix.ducking = ducking
        case .ducking(let other, let ducking):
          guard let voice = tracks[other.text] else {
            isWhole = false
            guard !unclear.contains(other.text), !isTrack(other.text) else { break }
            let known = manifest.nodes.filter(\.isTrack).map(\.name)
            problems.unknown(
              other.position,
              "found no track '\(Document.short(other.text))' to duck under"
                + (known.isEmpty ? "; the timeline has no tracks, so add it" : ""), other.text, among: known)
            break
          }
          guard other.text != name else {
            problems.error(
              other.position, "found '\(other.text)' itself; expected another track to duck under")
            isWhole = false
            break
          }
          guard !moves.contains(where: \.isDucked) else {
            problems.error(
              move.position, "found 'under' beside 'ducking'; expected one of them")
            isWhole = false
            break
          }
          voices.append((voice.isEnabled ? voice.segments.map(\.range) : [], ducking))
        }
      } catch {
        problems.error(move.position, "\(error)")
        isWhole = false
      }
    }
    if !voices.isEmpty { mix.duck(underAll: voices) }
    return isWhole ? mix : nil
  }

  /// Returns a mix with its own declick or that of the timeline.
  func declicked(_ part: TrackMix?, _ own: MediaTime? = nil) -> TrackMix? {
    guard var part else { return nil }
    part.declick = own
    var mix = AudioMix()
    mix.declick = manifest.declick
    return mix.declicked(part)
  }

  private func isTrack(_ name: String) -> Bool { manifest.nodes.contains { $0.name == name && $0.isTrack } }
}

extension Segment {
  /// Creates the segment of a clip from a file with a length.
  fileprivate init(
    _ clip: Manifest.Clip, at path: String, length: MediaTime, after last: Segment?
  ) throws {
    if clip.to == nil, clip.from >= length {
      throw CompositionError.startPastAsset(path, clip.from, length: length)
    }
    let source = try Range(from: clip.from, to: clip.to ?? length)
    let start = clip.at ?? last?.range.upperBound ?? .zero
    let end = clip.until ?? start + (clip.lasts ?? source.upperBound - source.lowerBound)
    if let lasts = clip.lasts, lasts <= .zero { throw CompositionError.badLength(lasts) }
    if clip.until != nil, end <= start { throw CompositionError.badLength(end - start) }
    let range = try Range(from: start, to: end)
    try self.init(
      of: AssetReference(path, duration: length), source, at: range, keepsPitch: clip.keepsPitch)
  }
}

extension Automation {
  /// Sets the value or adds a ramp, as a manifest describes it.
  mutating func add(
    _ from: Float?, _ to: Float, in range: Range<MediaTime>, _ curve: Curve
  ) throws(AutomationError) {
    guard !range.isEmpty else { return try set(to, at: range.lowerBound) }
    try ramp(from: from, to: to, in: range, curve: curve)
  }
}

extension Manifest.MixSegment {
  /// Whether it is an explicit ducking automation.
  fileprivate var isDucked: Bool { if case .ducked = kind { true } else { false } }
}
