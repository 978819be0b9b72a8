// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Composition: Codable {
  private enum Key: String, CodingKey { case tracks, video }

  /// Decodes a composition. Throws if edits could not have made it.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    let tracks = try box.decode([Track].self, forKey: .tracks)
    let video = try box.decodeIfPresent(VideoTrack.self, forKey: .video) ?? VideoTrack()
    do { try self.init(tracks, video: video) } catch {
      throw DecodingError.dataCorruptedError(forKey: .tracks, in: box, debugDescription: "\(error)")
    }
  }

  /// Encodes the tracks, and the picture if there is one.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(tracks, forKey: .tracks)
    if !video.isEmpty { try box.encode(video, forKey: .video) }
  }
}

extension Track: Codable {
  private enum Key: String, CodingKey { case name, enabled, volume, pieces }

  /// Decodes the name, and what differs from a new track.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    self.init(
      try box.decode(TrackID.self, forKey: .name),
      isEnabled: try box.decodeIfPresent(Bool.self, forKey: .enabled) ?? true,
      volume: try box.decodeIfPresent(Float.self, forKey: .volume) ?? 1,
      segments: try box.decodeIfPresent([Segment].self, forKey: .pieces) ?? [])
  }

  /// Encodes the name, and what differs from a new track.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(id, forKey: .name)
    if !isEnabled { try box.encode(false, forKey: .enabled) }
    if volume != 1 { try box.encode(volume, forKey: .volume) }
    if !segments.isEmpty { try box.encode(segments, forKey: .pieces) }
  }
}

extension Segment: Codable {
  /// The keys of manifests, and `length`, which manifests do not need: they measure the file.
  private enum Key: String, CodingKey {
    case file, length, from, to, at, until
    case keepsPitch = "keeps-pitch"
  }

  /// Decodes `{file, from, to, at}`, and `until` if the clip plays at another speed.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    func time(_ key: Key) throws -> MediaTime { try box.decode(MediaTime.self, forKey: key) }
    let asset = AssetReference(
      try box.decode(String.self, forKey: .file),
      duration: try box.decodeIfPresent(MediaTime.self, forKey: .length))
    let source = try Range(from: time(.from), to: time(.to), codingPath: box.codingPath),
      start = try time(.at)
    let end = try box.decodeIfPresent(MediaTime.self, forKey: .until)
    let range = try Range(
      from: start, to: end ?? start + (source.upperBound - source.lowerBound), codingPath: box.codingPath)
    let keepsPitch = try box.decodeIfPresent(Bool.self, forKey: .keepsPitch) ?? true
    do {
      try self.init(of: asset, source, at: range, keepsPitch: keepsPitch)
    } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: box.codingPath, debugDescription: "\(error)"))
    }
  }

  /// Encodes `{file, from, to, at}`, and `until` if the clip plays at another speed.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(asset.path, forKey: .file)
    try box.encodeIfPresent(asset.duration, forKey: .length)
    try box.encode(source.lowerBound, forKey: .from)
    try box.encode(source.upperBound, forKey: .to)
    try box.encode(range.lowerBound, forKey: .at)
    if range.lowerBound + (source.upperBound - source.lowerBound) != range.upperBound {
      try box.encode(range.upperBound, forKey: .until)
    }
    if !keepsPitch { try box.encode(false, forKey: .keepsPitch) }
  }
}
