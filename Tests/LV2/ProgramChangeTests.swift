// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import Testing

@testable import SwiftletLV2

/// Program changes that the host answers by loading presets, as a plugin's processor reports them.
@Suite struct ProgramChangeTests {
  /// Returns a plugin that counts its MIDI messages, and needs a new instance for another block length.
  private func stage(_ use: ProgramChangeUse) throws -> (PluginProcessor, ProcessorRig) {
    let folder = try FixtureFolder()
    let midi = "; atom:bufferType atom:Sequence ; atom:supports midi:MidiEvent"
    let ports = [
      FixtureFolder.throughPorts, FixtureFolder.port(2, "midi", "lv2:InputPort, atom:AtomPort", midi),
      FixtureFolder.port(3, "count", "lv2:OutputPort, lv2:ControlPort"),
    ].joined(separator: " , ")
    let uri = try folder.add(
      "programs", ports: ports, more: "; lv2:requiredFeature bufsz:powerOf2BlockLength",
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h;
          LV2_ATOM_SEQUENCE_FOREACH((const LV2_Atom_Sequence *)s->port[2], event) s->state[0]++;
          memcpy(s->port[1], s->port[0], n * sizeof(float));
          *s->port[3] = s->state[0];
        }
        EXPORT(start, 0, run, 0)
        """)
    var layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 64, channels: 1)
    layout.programChange = use
    return try folder.world.stage(uri, layout)
  }

  private let ones = [Float](repeating: 1, count: 128)

  private func program(_ number: UInt8, bank: UInt8? = nil) -> [ProcessorRig.Note] {
    (bank.map { [ProcessorRig.Note(frame: 3, bytes: [0xB5, 32, $0])] } ?? [])
      + [ProcessorRig.Note(frame: 9, bytes: [0xC5, number])]
  }

  @Test func `the host consumes program changes, and the plugin receives all other messages`() throws {
    let (processor, stage) = try stage(.preset)
    #expect(processor.takeProgramChange() == nil)
    stage.play([ones], blocks: [64], notes: program(7, bank: 2) + [.init(frame: 20, bytes: [0x90, 60, 9])])
    #expect(processor.takeProgramChange() == ProgramChange(bank: 2, program: 7))
    #expect(processor.takeProgramChange() == nil)
    #expect(stage.meter(0) == 2)
    // A truncated message is not a program change.
    stage.play([ones], blocks: [64], notes: [.init(frame: 0, bytes: [0xC0])])
    #expect(processor.takeProgramChange() == nil && stage.meter(0) == 3)
  }

  @Test func `by default the plugin receives program changes`() throws {
    let (processor, stage) = try stage(.plugin)
    stage.play([ones], blocks: [64], notes: program(7, bank: 2))
    #expect(processor.takeProgramChange() == nil && stage.meter(0) == 2)
  }

  @Test func `the selected bank stays when an instance is replaced`() throws {
    let (processor, stage) = try stage(.preset)
    stage.play([ones], blocks: [64], notes: [.init(frame: 0, bytes: [0xB0, 0, 1])])
    #expect(try processor.refit(to: 128, isPlaying: { true }) == .made)
    // Both instances play until the new one has faded in.
    var reported: [ProgramChange] = []
    var number: UInt8 = 0
    while !processor.finishRefit(isPlaying: { true }) {
      try #require(number < 100)
      stage.play([ones], blocks: [128], notes: program(number))
      reported += [processor.takeProgramChange(), processor.takeProgramChange()].compactMap(\.self)
      number += 1
    }
    #expect(number > 1)
    #expect(reported == (0..<Int(number)).map { ProgramChange(bank: 128, program: $0) })
    stage.play([ones], blocks: [128], notes: program(5))
    #expect(processor.takeProgramChange() == ProgramChange(bank: 128, program: 5))
  }
}
