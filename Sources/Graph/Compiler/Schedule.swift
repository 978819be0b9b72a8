// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What is moved by hand while a plan plays.
enum Strip: Hashable {
  /// A wire.
  case wire(Graph.Wire.ID)
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
      /// One buffer of the slab for each channel: a run of ``Schedule/slabBuffers``, from this index on; −1 until
      /// buffers are assigned.
      case slab(Int)
      /// A numbered event buffer; 0 stays empty.
      case events(Int)
    }
    var place: Place
    var channels: Int
  }

  /// A bus's memory, or one channel of it.
  struct Ref: Equatable {
    private let memoryNumber: Int32
    private var channelNumber: Int32

    init(memory: Int, channel: Int? = nil) {
      memoryNumber = Int32(clamping: memory)
      channelNumber = channel.map(Int32.init(clamping:)) ?? -1
    }

    /// Which of ``Schedule/memories`` it is.
    var memory: Int { Int(memoryNumber) }
    /// The channel; nil for all of them.
    var channel: Int? {
      get { channelNumber < 0 ? nil : Int(channelNumber) }
      set { channelNumber = newValue.map(Int32.init(clamping:)) ?? -1 }
    }
  }

  /// What a step is called: for wires the text is composed only where it is read.
  enum Label {
    case text(String)
    /// What carries sound or events from one node to another, by their indices in ``Schedule/nodes``.
    case wire(Carrier, from: Int32, to: Int32)

    /// The first word of a wire's label.
    enum Carrier: String { case wire, send, events }
  }

  /// A step, before it has addresses. The schedule's `refs` hold its inputs, then its outputs.
  struct Entry {
    var kind: Step.Kind
    var label: Label
    var processor: Processor?
    fileprivate(set) var firstRef: Int32 = 0, inputCount: Int32 = 0, outputCount: Int32 = 0
    var slot = -1
    var latency = 0
    var level: Float = 1
    var delay = 0
    /// Which of the schedule's strips it carries; −1 for none.
    fileprivate(set) var strip: Int32 = -1
    var external = -1
    /// What its parameters, or a fader's values, follow.
    var lanes: [FollowedLane] = []

    init(
      kind: Step.Kind, label: Label, processor: Processor? = nil, slot: Int = -1, latency: Int = 0,
      level: Float = 1, delay: Int = 0, external: Int = -1, lanes: [FollowedLane] = []
    ) {
      self.kind = kind
      self.label = label
      self.processor = processor
      self.slot = slot
      self.latency = latency
      self.level = level
      self.delay = delay
      self.external = external
      self.lanes = lanes
    }
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
  private(set) var entries: [Entry] = []
  /// The inputs and outputs of all steps, in the order of the steps.
  private(set) var refs: [Ref] = []
  /// What is moved by hand, with where it is by now, in the order of the steps.
  private(set) var strips: [(strip: Strip, place: WirePlace)] = []
  /// The nodes that labels name.
  let nodes: [Graph.Node]
  /// The numbers of the slab's buffers, a run for each memory there.
  var slabBuffers: [Int32] = []
  var regions: [(steps: Range<Int>, longest: Int)] = []
  var bufferCount = 0
  /// For how many plain buses' events each event buffer has room.
  var eventRooms = [1]
  /// Wires that are gone and let go of their notes.
  var releases: [EventWire] = []
  /// How late each tap and each way out is, in frames.
  var tapLatency: [TapID: Int] = [:], outputLatency: [NodeID: Int] = [:], inputCount = 0
  var warnings: [String] = []
  /// Latency of each node's own processor as it was compiled in, to notice changes.
  var ownLatency: [(processor: Processor, frames: Int)] = []

  static let silence = 0, noEvents = 1

  /// An empty schedule for a graph of these nodes.
  init(nodes: [Graph.Node] = []) { self.nodes = nodes }

  /// Makes room for so many steps with one input and one output each.
  mutating func reserve(steps: Int) {
    entries.reserveCapacity(steps)
    refs.reserveCapacity(2 * steps)
    memories.reserveCapacity(steps + 2)
  }

  /// Adds a step behind all others.
  ///
  /// - Parameters:
  ///   - strip: what a hand moves there, and where that is.
  mutating func append(
    _ entry: consuming Entry, inputs: some Collection<Ref>, outputs: some Collection<Ref>,
    strip: (strip: Strip, place: WirePlace)? = nil
  ) {
    entry.firstRef = Int32(clamping: refs.count)
    entry.inputCount = Int32(clamping: inputs.count)
    entry.outputCount = Int32(clamping: outputs.count)
    refs += inputs
    refs += outputs
    if let strip {
      entry.strip = Int32(clamping: strips.count)
      strips.append(strip)
    }
    entries.append(entry)
  }

  /// Notes where a strip is by now.
  mutating func moveStrip(_ index: Int, to place: WirePlace) { strips[index].place = place }

  /// What a step reads.
  func inputs(of step: Int) -> ArraySlice<Ref> {
    let first = Int(entries[step].firstRef)
    return refs[first..<first + Int(entries[step].inputCount)]
  }

  /// What a step writes.
  func outputs(of step: Int) -> ArraySlice<Ref> {
    let first = Int(entries[step].firstRef) + Int(entries[step].inputCount)
    return refs[first..<first + Int(entries[step].outputCount)]
  }

  /// The buffers of a memory, one for each channel; none for what is not in the slab.
  func buffers(of memory: Int) -> ArraySlice<Int32> {
    guard case .slab(let first) = memories[memory].place, first >= 0 else { return [] }
    return slabBuffers[first..<first + memories[memory].channels]
  }

  mutating func audio(_ channels: Int) -> Ref {
    memories.append(Memory(place: .slab(-1), channels: channels))
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
