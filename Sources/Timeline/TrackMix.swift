// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The volume and pan of a track over time.
public struct TrackMix: Hashable, Sendable {
  /// The factor that multiplies the sound. Default: 1.
  public var volume = Automation(1)
  /// The pan, from −1 (left) to 1 (right). Default: 0, the centre.
  public var pan = Automation(0)
  /// The pan law: a clip of one channel is panned, others are balanced.
  ///
  /// Until the pan is set, one channel is heard on both sides at full level.
  public var panLaw = PanLaw.usual
  /// The length of a glide that smooths steps of volume, ducking and pan, from 0 to 1 s. Default: nil, that of the mix.
  public var declick: MediaTime?
  /// A second factor, which makes room for other tracks. Default: nil, no ducking.
  public var ducking: Automation?

  /// Creates the mix of a track at volume 1, in the centre.
  public init() {}

  /// Sets the volume from a time on, until the next step or ramp begins.
  ///
  /// - Throws: ``AutomationError/negativeLevel(_:)``, and what ``Automation/set(_:at:)`` throws.
  public mutating func setVolume(_ volume: Float, at time: MediaTime) throws(AutomationError) {
    guard !(volume < 0) else { throw .negativeLevel(volume) }
    try self.volume.set(volume, at: time)
  }

  /// Adds a ramp of the volume over a range of time. The end value is held.
  ///
  /// - Parameters:
  ///   - from: the volume at the start of the range, which begins with a step.
  ///   - to: the volume at the end of the range.
  ///   - range: from a time to a time: `.seconds(4) ..< .seconds(9)` takes five seconds.
  ///   - curve: the curve between them; default: a straight line, as in AVAudioMix.
  /// - Throws: ``AutomationError/negativeLevel(_:)``, and what ``Automation/ramp(from:to:in:curve:)`` throws.
  public mutating func setVolumeRamp(
    from: Float, to: Float, in range: Range<MediaTime>, curve: Automation.Curve = .linear
  ) throws(AutomationError) {
    guard !(min(from, to) < 0) else { throw .negativeLevel(min(from, to)) }
    try volume.ramp(from: from, to: to, in: range, curve: curve)
  }

  /// Sets the pan from a time on, from −1 (left) to 1 (right).
  ///
  /// - Throws: ``AutomationError/badPan(_:)``, and what ``Automation/set(_:at:)`` throws.
  public mutating func setPan(_ pan: Float, at time: MediaTime) throws(AutomationError) {
    guard -1...1 ~= pan else { throw .badPan(pan) }
    try self.pan.set(pan, at: time)
  }

  /// Adds a ramp of the pan over a range of time. The end value is held.
  ///
  /// - Throws: ``AutomationError/badPan(_:)``, and what ``Automation/ramp(from:to:in:curve:)`` throws.
  public mutating func setPanRamp(
    from: Float, to: Float, in range: Range<MediaTime>, curve: Automation.Curve = .linear
  ) throws(AutomationError) {
    for pan in [from, to] where !(-1...1 ~= pan) { throw .badPan(pan) }
    try pan.ramp(from: from, to: to, in: range, curve: curve)
  }

  /// Ducks the track under a voice at the given times, instead of an earlier ducking.
  public mutating func duck(
    under voice: [Range<MediaTime>], by ducking: Ducking = Ducking()
  ) {
    self.ducking = ducking.automation(under: voice)
  }

  /// Ducks the track under several voices, each with its own ducking: the lowest gain applies at each moment.
  /// Replaces an earlier ducking.
  package mutating func duck(underAll voices: [(times: [Range<MediaTime>], ducking: Ducking)]) {
    ducking = Ducking.automation(under: voices)
  }

  /// Returns the factor that multiplies the sound at a time: the volume times the ducking.
  package func gain(at time: MediaTime) -> Float {
    volume.value(at: time) * (ducking?.value(at: time) ?? 1)
  }
}

extension TrackMix: Codable {
  private enum Key: String, CodingKey { case volume, pan, panLaw, declick, ducking }

  /// Decodes the entries that are present; the others are those of ``init()``.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    volume = try box.decodeIfPresent(Automation.self, forKey: .volume) ?? Automation(1)
    pan = try box.decodeIfPresent(Automation.self, forKey: .pan) ?? Automation(0)
    panLaw = try box.decodeIfPresent(PanLaw.self, forKey: .panLaw) ?? .usual
    declick = try box.decodeIfPresent(MediaTime.self, forKey: .declick)
    ducking = try box.decodeIfPresent(Automation.self, forKey: .ducking)
  }

  /// Encodes the entries that differ from ``init()``.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    if volume != Automation(1) { try box.encode(volume, forKey: .volume) }
    if pan != Automation(0) { try box.encode(pan, forKey: .pan) }
    if panLaw != .usual { try box.encode(panLaw, forKey: .panLaw) }
    try box.encodeIfPresent(declick, forKey: .declick)
    try box.encodeIfPresent(ducking, forKey: .ducking)
  }
}
