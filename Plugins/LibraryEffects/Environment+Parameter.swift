// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Environment {
  /// The indices of the parameters.
  public enum Parameter: RawRepresentable, Sendable {
    /// A parameter of the acoustic room.
    case room(RoomParameter)
    /// A parameter of a source; the source's index counts from 0.
    case source(Int, SourceParameter)

    @_noLocks @_noAllocation public init?(rawValue: Int) {
      if let room = RoomParameter(rawValue: rawValue) {
        self = .room(room)
        return
      }
      let index = rawValue - RoomParameter.count, perSource = SourceParameter.count
      guard index >= 0, index < Environment.mostSources * perSource,
        let parameter = SourceParameter(rawValue: index % perSource)
      else { return nil }
      self = .source(index / perSource, parameter)
    }

    public var rawValue: Int {
      @_noLocks @_noAllocation get {
        switch self {
        case .room(let room): room.rawValue
        case .source(let source, let parameter):
          RoomParameter.count + source * SourceParameter.count + parameter.rawValue
        }
      }
    }
  }

  /// The parameters of the acoustic room, in index order.
  public enum RoomParameter: Int, CaseIterable, Sendable {
    /// The position of the listener, in metres: to the right, up and back.
    case listenerX, listenerY, listenerZ
    /// The orientation of the listener's head, in degrees.
    case yaw, pitch, roll
    /// The attenuation with distance: the formula, its two distances in metres, and its strength.
    case distanceModel, referenceDistance, maximumDistance, rollOff
    /// The level of the reverb send, and of both outputs, in decibels.
    case reverbLevel, gain

    @usableFromInline static var count: Int { @_noLocks @_noAllocation get { 12 } }
  }

  /// The parameters of a source, in index order.
  public enum SourceParameter: Int, CaseIterable, Sendable {
    /// The position of the source, in metres: to the right, up and back.
    case x, y, z
    /// The gain of the source, in decibels.
    case gain
    /// The rendering of the source: 0 for loudspeakers, 1 for headphones.
    case rendering
    /// The proportion of the source that goes to the reverb instead, in percent.
    case reverbBlend
    /// The gain at 5 kHz, in decibels: obstruction of the direct sound, occlusion of direct sound and reverb.
    case obstruction, occlusion
    /// Whether the source is on.
    case enabled

    @usableFromInline static var count: Int { @_noLocks @_noAllocation get { 9 } }
  }
}
