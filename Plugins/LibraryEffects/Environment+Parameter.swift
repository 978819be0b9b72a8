// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Environment {
  /// The indices of the parameters.
  public enum Parameter: RawRepresentable, Sendable {
    /// A parameter that exists once, by its number.
    case room(RoomParameter)
    /// A knob of a source, counted from 0.
    case source(Int, SourceParameter)

    @_noLocks @_noAllocation public init?(rawValue: Int) {
      if let room = RoomParameter(rawValue: rawValue) {
        self = .room(room)
        return
      }
      let place = rawValue - RoomParameter.count, knobs = SourceParameter.count
      guard place >= 0, place < Environment.mostSources * knobs,
        let knob = SourceParameter(rawValue: place % knobs)
      else { return nil }
      self = .source(place / knobs, knob)
    }

    public var rawValue: Int {
      @_noLocks @_noAllocation get {
        switch self {
        case .room(let room): room.rawValue
        case .source(let source, let knob):
          RoomParameter.count + source * SourceParameter.count + knob.rawValue
        }
      }
    }
  }

  /// The knobs of the room, in the order of their numbers.
  public enum RoomParameter: Int, CaseIterable, Sendable {
    /// The position of the listener, in metres: to the right, up and back.
    case listenerX, listenerY, listenerZ
    /// The direction of the listener's view, in degrees.
    case yaw, pitch, roll
    /// How distance makes softer: the formula, its two distances in metres, its strength.
    case distanceModel, referenceDistance, maximumDistance, rollOff
    /// The level of the reverb's send, and of both outputs, in decibels.
    case reverbLevel, gain

    @usableFromInline static var count: Int { @_noLocks @_noAllocation get { 12 } }
  }

  /// The knobs of a source, in the order of their numbers.
  public enum SourceParameter: Int, CaseIterable, Sendable {
    /// The position of the source, in metres: to the right, up and back.
    case x, y, z
    /// How loud it is, in decibels.
    case gain
    /// How it is placed.
    case rendering
    /// How much of it is heard by the reverb instead, in percent.
    case reverbBlend
    /// The change at 5 kHz, in decibels: obstruction of the direct sound, occlusion of direct sound and reverb.
    case obstruction, occlusion
    /// Whether it sounds.
    case enabled

    @usableFromInline static var count: Int { @_noLocks @_noAllocation get { 9 } }
  }
}
