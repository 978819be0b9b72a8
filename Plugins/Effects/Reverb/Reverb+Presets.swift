// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Reverb {
  /// The values of all parameters except the mix, which presets do not set.
  struct Room: Sendable {
    var preDelay: Float, size: Float, low: Float, high: Float, crossover: Float, diffusion: Float = 90
    var late: Float, rate: Float = 0.5, depth: Float = 0.12, width: Float = 100
    var lowCut: Float = 20, highCut: Float = 16000
  }

  static var mediumHall: Room {
    Room(preDelay: 18, size: 14, low: 1.7, high: 1, crossover: 3500, late: 65, highCut: 12000)
  }

  /// Thirteen rooms, in the order of AVAudioUnitReverb's presets. They do not set the mix. The times are the decay
  /// times of low frequencies.
  public enum Preset: PresetList {
    /// A small room: 0.45 s.
    case smallRoom
    /// A room of medium size: 0.75 s.
    case mediumRoom
    /// A large room: 1.1 s.
    case largeRoom
    /// A hall of medium size: 1.7 s. These are the default values.
    case mediumHall
    /// A large hall: 2.6 s.
    case largeHall
    /// A plate: 1.9 s, dense and bright.
    case plate
    /// An echo chamber of medium size: 1.2 s.
    case mediumChamber
    /// A large echo chamber: 1.8 s.
    case largeChamber
    /// A cathedral: 5.5 s.
    case cathedral
    /// A large room with soft walls: 1.3 s.
    case largeRoom2
    /// A bright hall of medium size: 1.6 s.
    case mediumHall2
    /// A hall of medium size with a later echo: 1.9 s.
    case mediumHall3
    /// A large hall, longer: 3.2 s.
    case largeHall2

    public func describe() -> EffectPreset {
      let room = self.room
      return EffectPreset(
        name,
        [
          (Parameter.preDelay.rawValue, room.preDelay), (Parameter.size.rawValue, room.size),
          (Parameter.decayLow.rawValue, room.low), (Parameter.decayHigh.rawValue, room.high),
          (Parameter.crossover.rawValue, room.crossover), (Parameter.diffusion.rawValue, room.diffusion),
          (Parameter.balance.rawValue, room.late), (Parameter.modulationRate.rawValue, room.rate),
          (Parameter.modulationDepth.rawValue, room.depth), (Parameter.width.rawValue, room.width),
          (Parameter.lowCut.rawValue, room.lowCut), (Parameter.highCut.rawValue, room.highCut),
        ])
    }

    private var name: StaticString {
      switch self {
      case .smallRoom: "small-room"
      case .mediumRoom: "medium-room"
      case .largeRoom: "large-room"
      case .mediumHall: "medium-hall"
      case .largeHall: "large-hall"
      case .plate: "plate"
      case .mediumChamber: "medium-chamber"
      case .largeChamber: "large-chamber"
      case .cathedral: "cathedral"
      case .largeRoom2: "large-room-2"
      case .mediumHall2: "medium-hall-2"
      case .mediumHall3: "medium-hall-3"
      case .largeHall2: "large-hall-2"
      }
    }

    private var room: Room {
      switch self {
      case .smallRoom:
        Room(preDelay: 2, size: 4, low: 0.45, high: 0.3, crossover: 4000, diffusion: 75, late: 30)
      case .mediumRoom:
        Room(preDelay: 6, size: 6.5, low: 0.75, high: 0.5, crossover: 4000, diffusion: 80, late: 40)
      case .largeRoom:
        Room(preDelay: 12, size: 10, low: 1.1, high: 0.7, crossover: 3500, diffusion: 85, late: 50)
      case .mediumHall:
        Reverb.mediumHall
      case .largeHall:
        Room(
          preDelay: 26, size: 19.5, low: 2.6, high: 1.4, crossover: 3000, diffusion: 100, late: 72,
          depth: 0.15, highCut: 11000)
      case .plate:
        Room(
          preDelay: 0, size: 8, low: 1.9, high: 1.6, crossover: 6000, diffusion: 100, late: 100, rate: 0.8,
          lowCut: 80, highCut: 20000)
      case .mediumChamber:
        Room(
          preDelay: 8, size: 8.5, low: 1.2, high: 0.95, crossover: 5000, diffusion: 95, late: 60, lowCut: 60)
      case .largeChamber:
        Room(
          preDelay: 14, size: 12, low: 1.8, high: 1.3, crossover: 4500, diffusion: 95, late: 62, lowCut: 50)
      case .cathedral:
        Room(
          preDelay: 40, size: 26, low: 5.5, high: 2.2, crossover: 2000, late: 85, depth: 0.2, highCut: 9000)
      case .largeRoom2:
        Room(
          preDelay: 15, size: 11, low: 1.3, high: 0.6, crossover: 2200, diffusion: 85, late: 55, highCut: 8000
        )
      case .mediumHall2:
        Room(preDelay: 16, size: 13.5, low: 1.6, high: 1.2, crossover: 5000, late: 60, highCut: 18000)
      case .mediumHall3:
        Room(
          preDelay: 24, size: 15.5, low: 1.9, high: 1, crossover: 3500, diffusion: 95, late: 70,
          highCut: 12000)
      case .largeHall2:
        Room(
          preDelay: 32, size: 22, low: 3.2, high: 1.5, crossover: 2800, diffusion: 100, late: 78, depth: 0.16,
          highCut: 10000)
      }
    }
  }
}
