// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What is moved by hand while a plan plays.
enum Strip: Hashable {
  /// A wire.
  case wire(Wire.ID)
  /// A mixer's own gain, or what comes to a fader that a tap listens before.
  case scaled(ProcessorStore.Scaled)
  /// What a lane fades: by which law it pans.
  case faded(Lane.Place)
}

/// What the buffers pass hands to emission: steps in order, over buses that know where their memory will be.
struct Schedule {
  /// Memory of one bus, before it has an address.
  struct Memory: Equatable {
    enum Place: Equatable {
      /// Zeros that nobody writes.
      case silence
      /// What the cycle brings in, by number.
      case external(Int)
      /// Where the cycle takes it, by number.
      case externalOut(Int)
      /// One numbered buffer of the slab a channel.
      case slab([Int])
      /// A numbered event buffer; 0 stays empty.
      case events(Int)
    }
    var place: Place
    var channels: Int
  }

  /// A bus's memory, or one channel of it.
  struct Ref: Equatable {
    var memory: Int
    var channel: Int?
  }

  /// A step, before it has addresses.
  struct Entry {
    var kind: Step.Kind
    var label: String
    var processor: Processor?
    var inputs: [Ref]
    var outputs: [Ref]
    var slot = -1
    var latency = 0
    var level: Float = 1
    var delay = 0
    /// Where a strip, or what a lane pans, heads, and which that is.
    var place: WirePlace?, strip: Strip?
    var external = -1
    /// What its parameters, or a fader's values, follow.
    var lanes: [FollowedLane] = []
  }

  /// A lane, and what of a step it moves.
  struct FollowedLane {
    var track: LaneTrack
    var parameter: Int
    var isWhole = false
    var ahead = 0
  }

  var memories: [Memory] = [
    Memory(place: .silence, channels: BusFormat.mostChannels), Memory(place: .events(0), channels: 0),
  ]
  var entries: [Entry] = []
  var regions: [(steps: Range<Int>, longest: Int)] = []
  var bufferCount = 0
  /// For how many plain buses' events each event buffer has room.
  var eventRooms = [1]
  /// Wires that are gone and let go of their notes.
  var releases: [EventWire] = []
  /// How late each tap and each way out is, in frames.
  var tapLatency: [TapID: Int] = [:], outputLatency: [NodeID: Int] = [:], inputCount = 0
  var warnings: [String] = []
  var names: [Int: String] = [:]
  /// Latency of each node's own processor as it was compiled in, to notice changes.
  var ownLatency: [(processor: Processor, frames: Int)] = []

  static let silence = 0, noEvents = 1

  mutating func audio(_ channels: Int) -> Ref {
    memories.append(Memory(place: .slab([]), channels: channels))
    return Ref(memory: memories.count - 1)
  }

  /// An event bus with room for what comes in by `sources`.
  mutating func events(like sources: [Ref] = []) -> Ref {
    let rooms = sources.map { ref in
      if case .events(let number) = memories[ref.memory].place { eventRooms[number] } else { 1 }
    }
    memories.append(Memory(place: .events(eventRooms.count), channels: 0))
    // Merged again and again, rooms would grow without end.
    eventRooms.append(min(max(rooms.reduce(0, +), 1), 64))
    return Ref(memory: memories.count - 1)
  }

  mutating func bus(_ format: BusFormat) -> Ref {
    switch format {
    case .audio(let channels): audio(channels)
    case .events: events()
    }
  }

  /// How many channels a reference spans.
  func width(_ ref: Ref) -> Int { ref.channel == nil ? memories[ref.memory].channels : 1 }
}
