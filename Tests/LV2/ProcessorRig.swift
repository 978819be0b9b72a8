// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization

@testable import SwiftletGraph
@testable import SwiftletLV2

/// Buses around one processor, and a loop that plays it as the renderer does, by its direct call if that is open.
///
/// If RealtimeSanitizer is linked, it checks every block.
final class ProcessorRig {
  struct Note: Equatable {
    var frame: Int64
    var type: UInt32 = EventHeader.midi
    var bytes: [UInt8]
  }
  static let eventBytes = 1 << 16

  let processor: Processor
  let longest: Int
  var transport = Transport()
  /// The number with which a plan marks that its buffers have not moved. With 0 the processor compares the addresses.
  var addresses = addressNumbers.add(1, ordering: .relaxed).newValue
  private static let addressNumbers = Atomic<Int>(0)
  var frame: Int64 = 0
  private(set) var sent: [Note] = []
  /// The number of blocks that took the direct call.
  private(set) var directCalls = 0
  private var directCall: DirectCall?
  private let transportMemory = UnsafeMutablePointer<Transport>.allocate(capacity: 1)
  private let meters: UnsafeMutablePointer<Float>
  private let inputs: [BusMemory], outputs: [BusMemory]
  private let inputTable: UnsafeMutablePointer<BusMemory>, outputTable: UnsafeMutablePointer<BusMemory>
  private var allocations: [UnsafeMutableRawPointer] = []

  /// Makes buses as `info` describes them, with `channels` where a bus takes the channel count of its input.
  init(_ processor: Processor, _ info: ProcessorInfo, channels: Int = 1, longest: Int = 8192) {
    self.processor = processor
    self.longest = longest
    directCall = processor.directCall
    var allocations: [UnsafeMutableRawPointer] = []
    func memory(_ bus: ProcessorInfo.Bus) -> BusMemory {
      let count: Int =
        switch bus.content {
        case .matching: channels
        case .atLeast(let fewest): max(channels, fewest)
        case .channels(let count): count
        case .events: 0
        }
      let table = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: max(count, 1))
      allocations.append(table)
      guard bus.content != .events else {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: Self.eventBytes, alignment: 8)
        allocations.append(bytes)
        return BusMemory(events: EventBuffer(over: bytes, byteCount: Self.eventBytes), channels: table)
      }
      for channel in 0..<count {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: longest)
        samples.initialize(repeating: 0, count: longest)
        allocations.append(samples)
        (table + channel).initialize(to: samples)
      }
      return BusMemory(channels: table, channelCount: count)
    }
    inputs = info.inputs.map(memory)
    outputs = info.outputs.map(memory)
    inputTable = .allocate(capacity: inputs.count + 1)
    outputTable = .allocate(capacity: outputs.count + 1)
    inputTable.initialize(from: inputs, count: inputs.count)
    outputTable.initialize(from: outputs, count: outputs.count)
    meters = .allocate(capacity: processor.meterCount + 1)
    meters.initialize(repeating: 0, count: processor.meterCount + 1)
    self.allocations = allocations
  }

  deinit {
    for allocation in allocations { allocation.deallocate() }
    inputTable.deallocate()
    outputTable.deallocate()
    meters.deallocate()
    transportMemory.deallocate()
  }

  func meter(_ number: Int) -> Float { meters[number] }

  /// Plays `input` (one array per channel, buses one after the other) in blocks of `lengths`, repeated, and returns
  /// the channels of all outputs. `before` is called before each block with its first frame, counted from the start.
  @discardableResult func play(
    _ input: [[Float]], frames: Int? = nil, blocks lengths: [Int] = [256], notes: [Note] = [],
    before: (Int) -> Void = { _ in }
  ) -> [[Float]] {
    let total = frames ?? input.first?.count ?? 0
    let outputChannels = outputs.reduce(0) { $0 + $1.channelCount }
    var result = [[Float]](repeating: [], count: outputChannels)
    let start = frame
    var position = 0, round = 0
    let denormals = rt_flush_denormals()
    defer {
      rt_restore_denormals(denormals)
      swiftlet_leave_processor()
    }
    while position < total {
      before(position)
      let count = min(lengths[round % lengths.count], total - position, longest)
      round += 1
      var channel = 0
      for bus in inputs {
        if let events = bus.events {
          events.clear()
          for note in notes where Int64(position)..<Int64(position + count) ~= note.frame {
            let header = EventHeader(
              frame: start + note.frame, type: note.type, size: UInt32(note.bytes.count))
            events.append(header, bytes: note.bytes)
          }
        }
        for number in 0..<bus.channelCount {
          for frame in 0..<count {
            bus.channels[number][frame] = channel < input.count ? input[channel][position + frame] : 0
          }
          channel += 1
        }
      }
      for bus in outputs {
        bus.events?.clear()
        for number in 0..<bus.channelCount {
          for frame in 0..<count { bus.channels[number][frame] = .nan }
        }
      }
      transportMemory.initialize(to: transport)
      let memory = BlockMemory(
        inputs: inputTable, inputCount: inputs.count, outputs: outputTable, outputCount: outputs.count,
        transport: transportMemory, meters: meters, addresses: addresses)
      withUnsafePointer(to: memory) { memory in
        let block = Block(over: memory, frameCount: count, frame: frame)
        rt_enter()
        run(block)
        rt_exit()
      }
      channel = 0
      for bus in outputs {
        var next = bus.events?.first
        while let event = next {
          let bytes = (0..<Int(event.header.size)).map { event[$0] }
          sent.append(Note(frame: event.header.frame - start, type: event.header.type, bytes: bytes))
          next = bus.events?.next(after: event)
        }
        for number in 0..<bus.channelCount {
          result[channel].append(contentsOf: UnsafeBufferPointer(start: bus.channels[number], count: count))
          channel += 1
        }
      }
      if transport.isRolling { transport.position += Int64(count) }
      position += count
      frame += Int64(count)
    }
    return result
  }

  private func run(_ block: Block) {
    let frames = Int32(block.frameCount)
    guard directCall?.isOpen(addresses: addresses, frameCount: frames) == true, let directCall else {
      return processor.process(block)
    }
    directCalls += 1
    rt_third_party_enter()
    rt_begin_runs()
    directCall.take(frameCount: frames)
    rt_end_call()
    rt_mend_float_mode()
    rt_third_party_exit()
  }
}

extension PluginWorld {
  /// Makes a plugin and a rig for it.
  func rig(
    _ uri: String, _ layout: PluginLayout = PluginLayout(sampleRate: 48_000, longestBlock: 8192, channels: 1),
    preset: String? = nil, values: [String: Float] = [:]
  ) throws -> (PluginProcessor, ProcessorRig) {
    let info = try info(uri: uri, sampleRate: layout.sampleRate)
    let numbered = values.compactMap { symbol, value in
      info.parameters.first { $0.symbol == symbol }.map { ($0.number, value) }
    }
    let processor = try makeProcessor(uri: uri, layout: layout, preset: preset, values: numbered)
    let rig = ProcessorRig(processor, info, channels: layout.channels, longest: layout.longestBlock)
    // As an offline engine sets it in each of its cycles.
    rig.transport.isFreewheeling = layout.isOffline
    return (processor, rig)
  }
}

/// Returns reproducible white noise with a peak of −6 dBFS.
func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return (Float(state >> 8) / Float(1 << 23) - 1) * 0.5
  }
}
