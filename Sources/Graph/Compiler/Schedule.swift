// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An object whose gain or pan can change by hand while a plan is in use.
enum Strip: Hashable {
  /// A wire.
  case wire(Graph.Wire.ID)
  /// A mixer's own gain, or the input of a tap before a fader.
  case scaled(ProcessorStore.Scaled)
  /// The fader of a lane, with its pan law.
  case faded(Lane.Owner)
}

/// The output of the buffers pass: steps in order, over buses whose memory is assigned but has no address yet.
struct Schedule {
  /// The memory of one bus, before it has an address.
  struct Memory: Equatable {
    enum BufferLocation: Equatable {
      /// Zeros; never written.
      case silence
      /// An input buffer of the cycle, by number.
      case external(Int)
      /// An output buffer of the cycle, by number.
      case externalOut(Int)
      /// One slab buffer per channel: a range of ``Schedule/slabBuffers`` from this index on; −1 until buffers are
      /// assigned.
      case slab(Int)
      /// A numbered event buffer; buffer 0 stays empty.
      case events(Int)
    }
    var location: BufferLocation
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

    /// The index in ``Schedule/memories``.
    var memory: Int { Int(memoryNumber) }
    /// The channel; nil for all channels.
    var channel: Int? {
      get { channelNumber < 0 ? nil : Int(channelNumber) }
      set { channelNumber = newValue.map(Int32.init(clamping:)) ?? -1 }
    }
  }

  /// A step's label; the text for wires is composed only when it is read.
  enum Label {
    case text(String)
    /// A connection between two nodes, by their indices in ``Schedule/nodes``.
    case wire(Carrier, from: Int32, to: Int32)

    /// The first word of a wire's label.
    enum Carrier: String { case wire, send, events }
  }

  /// A step without addresses. The schedule's `refs` hold its inputs, then its outputs.
  struct Entry {
    var kind: Step.Kind
    var label: Label
    var processor: Processor?
    fileprivate(set) var firstRef: Int32 = 0, inputCount: Int32 = 0, outputCount: Int32 = 0
    var slot = -1
    var latency = 0
    var level: Float = 1
    var delay = 0
    /// The index of the step's strip in the schedule; −1 for none.
    fileprivate(set) var strip: Int32 = -1
    var external = -1
    /// The lanes that the node's parameters, or a fader's values, follow.
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

  /// A lane, and the parameter that it moves.
  struct FollowedLane {
    var track: LaneTrack
    var parameter: Int
    var isWhole = false
    var ahead = 0
  }

  var memories: [Memory] = [
    Memory(location: .silence, channels: BusFormat.mostChannels), Memory(location: .events(0), channels: 0),
  ]
  private(set) var entries: [Entry] = []
  /// The inputs and outputs of all steps, in the order of the steps.
  private(set) var refs: [Ref] = []
  /// The strips with their current targets, in the order of the steps.
  private(set) var strips: [(strip: Strip, targets: StripTargets)] = []
  /// The nodes that labels refer to.
  let nodes: [Graph.Node]
  /// The indices of the slab's buffers: one range per memory in the slab.
  var slabBuffers: [Int32] = []
  var regions: [(steps: Range<Int>, longest: Int)] = []
  var bufferCount = 0
  /// The capacity of each event buffer, in units of one plain bus.
  var eventCapacities = [1]
  /// Removed wires that release their held notes.
  var releases: [EventWire] = []
  /// The latency of each tap and each output node, in frames.
  var tapLatency: [TapID: Int] = [:], outputLatency: [NodeID: Int] = [:], inputCount = 0
  var warnings: [String] = []
  /// The latency of each node's processor at compile time, to detect changes.
  var ownLatency: [(processor: Processor, frames: Int)] = []

  static let silence = 0, noEvents = 1

  /// Creates an empty schedule for a graph with these nodes.
  init(nodes: [Graph.Node] = []) { self.nodes = nodes }

  /// Reserves capacity for steps with one input and one output each.
  mutating func reserve(steps: Int) {
    entries.reserveCapacity(steps)
    refs.reserveCapacity(2 * steps)
    memories.reserveCapacity(steps + 2)
  }

  /// Appends a step.
  ///
  /// - Parameters:
  ///   - strip: the step's strip with its current targets, if its values can change by hand.
  mutating func append(
    _ entry: consuming Entry, inputs: some Collection<Ref>, outputs: some Collection<Ref>,
    strip: (strip: Strip, targets: StripTargets)? = nil
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

  /// Records a strip's new targets.
  mutating func moveStrip(_ index: Int, to targets: StripTargets) { strips[index].targets = targets }

  /// Returns the buses that a step reads.
  func inputs(of step: Int) -> ArraySlice<Ref> {
    let first = Int(entries[step].firstRef)
    return refs[first..<first + Int(entries[step].inputCount)]
  }

  /// Returns the buses that a step writes.
  func outputs(of step: Int) -> ArraySlice<Ref> {
    let first = Int(entries[step].firstRef) + Int(entries[step].inputCount)
    return refs[first..<first + Int(entries[step].outputCount)]
  }

  /// Returns the buffers of a memory, one per channel; empty for memory outside the slab.
  func buffers(of memory: Int) -> ArraySlice<Int32> {
    guard case .slab(let first) = memories[memory].location, first >= 0 else { return [] }
    return slabBuffers[first..<first + memories[memory].channels]
  }

  mutating func audio(_ channels: Int) -> Ref {
    memories.append(Memory(location: .slab(-1), channels: channels))
    return Ref(memory: memories.count - 1)
  }

  /// Allocates an event bus with capacity for the events of `sources`.
  mutating func events(like sources: [Ref] = []) -> Ref {
    let capacities = sources.map { ref in
      if case .events(let number) = memories[ref.memory].location { eventCapacities[number] } else { 1 }
    }
    memories.append(Memory(location: .events(eventCapacities.count), channels: 0))
    // Limit the capacity: it would grow without bound if buses are merged repeatedly.
    eventCapacities.append(min(max(capacities.reduce(0, +), 1), 64))
    return Ref(memory: memories.count - 1)
  }

  mutating func bus(_ format: BusFormat) -> Ref {
    switch format {
    case .audio(let channels): audio(channels)
    case .events: events()
    }
  }

  /// Returns the number of channels of a reference.
  func width(_ ref: Ref) -> Int { ref.channel == nil ? memories[ref.memory].channels : 1 }
}
