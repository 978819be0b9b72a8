// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Graph {
  /// Adds a node.
  ///
  /// - Throws: ``GraphError/duplicateName(_:)``, ``GraphError/channels(node:_:)``,
  ///   ``GraphError/badShape(node:)``, ``GraphError/tooLarge``.
  package mutating func add(
    _ name: String, _ role: Role, inputs: [BusFormat], outputs: [BusFormat]
  ) throws(GraphError) -> NodeID {
    let id = try reserveNode()
    try add(Node(id: id, name: name, role: role, inputs: inputs, outputs: outputs))
    return id
  }

  /// Reserves an identifier for a node that is added later, to this graph or to a copy.
  ///
  /// - Throws: ``GraphError/tooLarge``.
  package mutating func reserveNode() throws(GraphError) -> NodeID {
    guard nextSlot < Self.mostNodes else { throw .tooLarge }
    defer { nextSlot += 1 }
    return NodeID(slot: nextSlot)
  }

  /// Adds a node with a reserved identifier.
  ///
  /// - Throws: ``GraphError/duplicateName(_:)``, ``GraphError/channels(node:_:)``, ``GraphError/badShape(node:)``.
  package mutating func add(_ node: Node) throws(GraphError) {
    try check(node)
    insert(node)
  }

  /// Throws the error that ``add(_:)`` would throw.
  package func check(_ node: Node) throws(GraphError) {
    let (name, inputs, outputs) = (node.name, node.inputs, node.outputs)
    guard names[name] == nil else { throw .duplicateName(name) }
    for case .audio(let channels) in inputs + outputs where !(1...BusFormat.mostChannels ~= channels) {
      throw .channels(node: name, channels)
    }
    let fits =
      switch node.role {
      case .input(let number): inputs.isEmpty && outputs.count == 1 && number >= 0
      case .output(let number): outputs.isEmpty && inputs.count == 1 && number >= 0
      case .mixer: inputs.count == 1 && inputs == outputs
      case .processor: true
      }
    guard fits else { throw .badShape(node: name) }
  }

  /// Inserts a node, in the order of identifiers.
  mutating func insert(_ node: Node) {
    names[node.name] = node.id
    nextSlot = max(nextSlot, node.id.slot + 1)
    if nodes.last.map({ $0.id < node.id }) ?? true {
      nodes.append(node)
    } else {
      nodes.insert(node, at: nodes.firstIndex { node.id < $0.id } ?? nodes.count)
    }
    delta?.note(.node(.init(after: node)))
  }

  /// Removes a node with its wires, taps and lanes.
  package mutating func remove(_ id: NodeID) throws(GraphError) {
    guard let index = index(of: id) else { throw .unknownNode(id) }
    removeWires { $0.source.node == id || $0.destination.node == id || $0.strip?.node == id }
    removeTaps { $0.node == id }
    removeLanes { $0 == .node(id) }
    let node = nodes.remove(at: index)
    names[node.name] = nil
    delta?.note(.node(.init(before: node)))
  }

  /// Removes wires with their taps and lanes.
  private mutating func removeWires(where isGone: (Wire.ID) -> Bool) {
    for (wire, serial) in wireList.removeAll(where: { isGone($0.id) }) {
      delta?.note(.wire(.init(before: wire, serial: serial)))
    }
    removeOrphans()
  }

  private mutating func removeTaps(where isGone: (Tap) -> Bool) {
    for (tap, serial) in tapList.removeAll(where: isGone) {
      delta?.note(.tap(.init(before: tap, serial: serial)))
    }
  }

  /// Removes the taps and lanes of removed wires.
  private mutating func removeOrphans() {
    let wires = wireList
    removeTaps { $0.wire.map { !wires.contains($0) } ?? false }
    removeLanes { owner in
      if case .wire(let wire) = owner { !wires.contains(wire) } else { false }
    }
  }

  /// Sets whether the node's main input bypasses its processor.
  package mutating func setBypass(_ isBypassed: Bool, of id: NodeID) throws(GraphError) {
    guard let index = index(of: id) else { throw .unknownNode(id) }
    change(nodeAt: index) { $0.isBypassed = isBypassed }
  }

  private mutating func change(nodeAt index: Int, _ body: (inout Node) -> Void) {
    let before = nodes[index]
    body(&nodes[index])
    if nodes[index] != before { delta?.note(.node(.init(before: before, after: nodes[index]))) }
  }

  /// Sets a mixer's gain in dB, with a glide in seconds.
  package mutating func setGain(
    _ gain: Float, of id: NodeID, over glide: Double = Wire.shortestGlide
  ) throws(GraphError) {
    guard let index = index(of: id) else { throw .unknownNode(id) }
    guard nodes[index].role == .mixer else { throw .notAMixer(nodes[index].name) }
    guard Wire.gains ~= gain, 0...Wire.longestGlide ~= glide else { throw .badGain(nodes[index].name) }
    change(nodeAt: index) { ($0.gain, $0.glide) = (gain, glide) }
  }

  /// Adds a wire. Any number of wires may leave a bus; wires that end in the same bus are mixed. A strip must be
  /// added before its sends.
  package mutating func connect(_ wire: Wire) throws(GraphError) {
    let (source, destination) = try checked(wire)
    guard wireList.append(wire) else {
      throw .duplicateWire(source: source, destination: destination)
    }
    delta?.note(.wire(.init(after: wire, serial: wireList.serial(of: wire.id) ?? 0)))
  }

  /// Adds a wire at a program's request.
  ///
  /// - Parameters:
  ///   - replacing: whether it replaces all wires into the same channels of the destination bus, including feedback
  ///     wires and
  ///     sends.
  ///   - automatic: a wire that it replaces if that wire leaves the same node and was created by the engine.
  package mutating func connect(
    _ wire: Wire, replacing: Bool, insteadOf automatic: Wire.ID?
  ) throws(GraphError) {
    _ = try checked(wire)
    var replaced = replacing ? wires.map(\.id).filter { $0.destination.overlaps(wire.destination) } : []
    if let automatic, automatic.source.node == wire.source.node, wireList[automatic]?.isAutomatic == true {
      replaced.append(automatic)
    }
    // A send may have been removed with its strip.
    for old in replaced where wireList.contains(old) { try disconnect(old) }
    try connect(wire)
  }

  /// Copies nodes and wires that were added to another version of the graph since, without recording the change.
  package mutating func adopt(_ nodes: [Node], _ wires: [Wire]) {
    let recorded = delta
    delta = nil
    for node in nodes where self.node(node.id) == nil { insert(node) }
    for wire in wires { wireList.append(wire) }
    delta = recorded
  }

  /// Changes all values of a wire except its ends.
  package mutating func update(_ wire: Wire) throws(GraphError) {
    let (source, destination) = try checked(wire)
    guard let before = wireList[wire.id] else {
      throw .unknownWire(source: source, destination: destination)
    }
    change(before, to: wire)
  }

  /// Changes an existing wire.
  mutating func change(_ before: Wire, to wire: Wire) {
    wireList.replace(wire)
    if wire != before { delta?.note(.wire(.init(before: before, after: wire))) }
  }

  /// Removes the wire between two ends, and its sends.
  package mutating func disconnect(_ id: Wire.ID) throws(GraphError) {
    guard wireList.contains(id) else {
      throw .unknownWire(
        source: try known(id.source.node).name, destination: try known(id.destination.node).name)
    }
    removeWires { $0 == id || $0.stripID == id }
  }

  /// Adds a tap on an output bus after the node, or on an input bus before it.
  package mutating func tap(
    _ id: NodeID, bus: Bus = 0, _ side: Tap.Side = .after
  ) throws(GraphError) -> TapID {
    let node = try known(id)
    let buses = side == .before ? node.inputs : node.outputs
    guard buses.indices.contains(bus.index) else {
      throw .unknownBus(node: node.name, bus: bus.index, isInput: side == .before, count: buses.count)
    }
    return add(id, bus, side, nil)
  }

  /// Adds a tap on a wire or a send: before its fader, or at its destination.
  package mutating func tap(_ wire: Wire.ID, _ side: Tap.Side = .after) throws(GraphError) -> TapID {
    let source = try known(wire.source.node), destination = try known(wire.destination.node)
    guard wireList.contains(wire) else {
      throw .unknownWire(source: source.name, destination: destination.name)
    }
    let end = side == .before ? wire.source : wire.destination
    return add(end.node, end.bus, side, wire)
  }

  private mutating func add(_ node: NodeID, _ bus: Bus, _ side: Tap.Side, _ wire: Wire.ID?) -> TapID {
    let tap = Tap(id: TapID(number: nextTap), node: node, bus: bus, side: side, wire: wire)
    nextTap += 1
    tapList.append(tap)
    delta?.note(.tap(.init(after: tap, serial: tapList.serial(of: tap.id) ?? 0)))
    return tap.id
  }

  /// Removes a tap.
  package mutating func remove(_ id: TapID) throws(GraphError) {
    guard tapList.contains(id) else { throw .unknownTap(id) }
    removeTaps { $0.id == id }
  }

  func known(_ id: NodeID) throws(GraphError) -> Node {
    guard let node = node(id) else { throw .unknownNode(id) }
    return node
  }

  /// Validates a wire, and returns the names of its nodes.
  private func checked(_ wire: Wire) throws(GraphError) -> (source: String, destination: String) {
    let source = try known(wire.source.node), destination = try known(wire.destination.node)
    let output = try format(wire.source, of: source, isInput: false)
    let input = try format(wire.destination, of: destination, isInput: true)
    switch (output, input) {
    case (.audio, .audio), (.events, .events): break
    case (.audio, .events), (.events, .audio):
      throw .mismatch(source: source.name, destination: destination.name)
    }
    let isLevel =
      Wire.gains ~= wire.gain && Wire.gains ~= wire.trim && Wire.pans ~= wire.pan ?? 0
    guard isLevel, 0...Wire.longestGlide ~= wire.glide else {
      throw .badLevel(source: source.name, destination: destination.name)
    }
    let width = wire.destination.channel == nil ? input.channelCount : 1
    guard wire.pan ?? 0 == 0 || width == 2 else { throw .panNeedsStereo(destination: destination.name) }
    if let strip = wire.id.stripID, !wireList.contains(strip) {
      throw .unknownWire(source: source.name, destination: try known(strip.destination.node).name)
    }
    if let frames = wire.feedback, !(16...480_000 ~= frames) || input == .events {
      throw .badFeedback(source: source.name, destination: destination.name, frames: frames)
    }
    return (source.name, destination.name)
  }

  private func format(_ end: Endpoint, of node: Node, isInput: Bool) throws(GraphError) -> BusFormat {
    let buses = isInput ? node.inputs : node.outputs
    guard buses.indices.contains(end.bus.index) else {
      throw .unknownBus(node: node.name, bus: end.bus.index, isInput: isInput, count: buses.count)
    }
    let format = buses[end.bus.index]
    if let channel = end.channel, !(0..<format.channelCount ~= channel) {
      throw .unknownChannel(
        node: node.name, bus: end.bus.index, channel: channel, count: format.channelCount)
    }
    return format
  }
}
