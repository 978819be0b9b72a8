// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

@testable import SwiftletGraph

/// A backend for tests: it owns the memory of inputs and outputs, fills the inputs from functions of the absolute
/// frame, and keeps the outputs.
final class Rig {
  let controller: GraphController
  /// Whether the controller's `tick` is called before each block, as an engine calls it.
  var ticks = true
  /// The input sample for an input number, channel and absolute frame.
  var source: (_ input: Int, _ channel: Int, _ frame: Int64) -> Float = { _, _, _ in 0 }
  /// The events of input 0, in order: absolute frame and one byte.
  var eventsIn: [(frame: Int64, byte: UInt8)] = []
  /// The events of all outputs.
  private(set) var eventsOut: [(frame: Int64, byte: UInt8)] = []
  /// All output samples since the rig was made, by output and channel.
  private(set) var heard: [[[Float]]]
  var transport = Transport()
  /// Whether the rig freewheels: no clock drives the cycles.
  var isFreewheeling = false
  private(set) var frame: Int64 = 0

  private let inputs: [BackendBus], outputs: [BackendBus]

  init(
    inputs: [BusFormat] = [], outputs: [BusFormat] = [.audio(channels: 1)], sampleRate: Double = 48_000,
    longestBlock: Int = 1024, fadesIn: Bool = false, isLive: Bool = true
  ) {
    controller = GraphController(sampleRate: sampleRate, longestBlock: longestBlock, fadesIn: fadesIn)
    controller.isLive = isLive
    self.inputs = inputs.map { BackendBus($0, longestBlock) }
    self.outputs = outputs.map { BackendBus($0, longestBlock) }
    heard = outputs.map { Array(repeating: [], count: $0.channelCount) }
  }

  /// Renders `count` frames in blocks, and returns those of channel 0 of output 0.
  @discardableResult
  func render(_ count: Int, block: Int = 64) -> [Float] {
    var left = count
    while left > 0 {
      renderBlock(min(left, block))
      left -= min(left, block)
    }
    guard let first = heard.first?.first else { return [] }
    return Array(first.suffix(count))
  }

  /// Renders one block, after a tick.
  func renderBlock(_ count: Int) {
    if ticks { controller.tick() }
    for (number, backendBus) in inputs.enumerated() {
      for channel in 0..<backendBus.channelCount {
        for index in 0..<count {
          backendBus.samples(channel)[index] = source(number, channel, frame + Int64(index))
        }
      }
      backendBus.events?.clear()
      for event in eventsIn where frame..<frame + Int64(count) ~= event.frame {
        var byte = event.byte
        backendBus.events?.append(
          EventHeader(frame: event.frame, type: EventHeader.midi, size: 1), bytes: &byte)
      }
    }
    // Marks samples that the renderer leaves unwritten.
    for backendBus in outputs {
      for channel in 0..<backendBus.channelCount {
        for index in 0..<count { backendBus.samples(channel)[index] = .nan }
      }
    }
    let ins = inputs.map(\.bus), outs = outputs.map(\.bus)
    ins.withUnsafeBufferPointer { ins in
      outs.withUnsafeBufferPointer { outs in
        let fallback = BackendBus.nothing.bus
        withUnsafePointer(to: fallback) { nothing in
          controller.renderer.render(
            Cycle(
              frame: frame, frameCount: count, transport: transport, isFreewheeling: isFreewheeling,
              inputs: ins.baseAddress ?? nothing, inputCount: ins.count,
              outputs: outs.baseAddress ?? nothing, outputCount: outs.count))
        }
      }
    }
    for (number, backendBus) in outputs.enumerated() {
      for channel in 0..<backendBus.channelCount {
        heard[number][channel] += UnsafeBufferPointer(start: backendBus.samples(channel), count: count)
      }
      var next = backendBus.events?.first
      while let event = next {
        eventsOut.append((event.header.frame, event[0]))
        next = backendBus.events?.next(after: event)
      }
    }
    frame += Int64(count)
  }

  /// Skips frames, as a lost cycle does.
  func lose(_ count: Int) { frame += Int64(count) }

  /// Renders until all fades are done and old plans are freed, for two seconds at most.
  func settle(block: Int = 64) {
    controller.tick()
    for _ in 0..<(96_000 / block) where !controller.isSettled { render(block, block: block) }
    controller.tick()
  }
}

/// The memory of one bus of the backend.
final class BackendBus {
  nonisolated(unsafe) static let nothing = BackendBus(.audio(channels: 1), 1)
  let channelCount: Int
  let events: EventBuffer?
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let eventBytes: UnsafeMutableRawPointer

  init(_ format: BusFormat, _ frameCount: Int) {
    channelCount = format.channelCount
    channels = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<max(channelCount, 1) {
      // Offset by one float, as JACK's buffers are, so no code may rely on their alignment.
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: frameCount + 1)
      memory.initialize(repeating: 0, count: frameCount + 1)
      (channels + channel).initialize(to: memory + 1)
    }
    eventBytes = .allocate(byteCount: 1 << 15, alignment: 8)
    events = format == .events ? EventBuffer(over: eventBytes, byteCount: 1 << 15) : nil
  }

  deinit {
    for channel in 0..<max(channelCount, 1) { (channels[channel] - 1).deallocate() }
    channels.deallocate()
    eventBytes.deallocate()
  }

  func samples(_ channel: Int) -> UnsafeMutablePointer<Float> { channels[channel] }

  var bus: BusMemory {
    if let events { return BusMemory(events: events, channels: channels) }
    return BusMemory(channels: channels, channelCount: channelCount)
  }
}
