// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Synchronization
import Testing

@testable import SwiftletLV2

/// Program changes that the host answers by loading presets, as a plugin's processor reports them.
@Suite struct ProgramChangeTests {
  /// Returns a plugin that counts its MIDI messages, and needs a new instance for another block length.
  private func rig(_ use: ProgramChangeUse) throws -> (PluginProcessor, ProcessorRig) {
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
    return try folder.world.rig(uri, layout)
  }

  private let ones = [Float](repeating: 1, count: 128)

  private func program(_ number: UInt8, bank: UInt8? = nil) -> [ProcessorRig.Note] {
    (bank.map { [ProcessorRig.Note(frame: 3, bytes: [0xB5, 32, $0])] } ?? [])
      + [ProcessorRig.Note(frame: 9, bytes: [0xC5, number])]
  }

  @Test func `the host consumes program changes, and the plugin receives all other messages`() throws {
    let (processor, rig) = try rig(.preset)
    #expect(processor.takeProgramChange() == nil)
    rig.play([ones], blocks: [64], notes: program(7, bank: 2) + [.init(frame: 20, bytes: [0x90, 60, 9])])
    #expect(processor.takeProgramChange() == ProgramChange(bank: 2, program: 7))
    #expect(processor.takeProgramChange() == nil)
    #expect(rig.meter(0) == 2)
    // A truncated message is not a program change.
    rig.play([ones], blocks: [64], notes: [.init(frame: 0, bytes: [0xC0])])
    #expect(processor.takeProgramChange() == nil && rig.meter(0) == 3)
  }

  @Test func `by default the plugin receives program changes`() throws {
    let (processor, rig) = try rig(.plugin)
    rig.play([ones], blocks: [64], notes: program(7, bank: 2))
    #expect(processor.takeProgramChange() == nil && rig.meter(0) == 2)
  }

  /// A plugin with three programs, which outputs its gain, plus 0.5 for what only its code knows. One program writes NaN.
  private func programs(isolation: PluginIsolation? = nil) throws -> (PluginProcessor, ProcessorRig) {
    let folder = try FixtureFolder()
    let ports = [
      FixtureFolder.throughPorts,
      FixtureFolder.port(
        2, "gain", "lv2:InputPort, lv2:ControlPort", "; lv2:minimum 0 ; lv2:maximum 4 ; lv2:default 1"),
      FixtureFolder.port(
        3, "other", "lv2:InputPort, lv2:ControlPort", "; lv2:minimum 0 ; lv2:maximum 4 ; lv2:default 2"),
    ].joined(separator: " , ")
    let uri = try folder.add(
      "listed", ports: ports, more: "; lv2:extensionData <\(Name.programsInterface)>",
      code: """
        typedef struct { uint32_t bank, program; const char *name; } Program;
        typedef struct {
          const Program *(*get)(LV2_Handle, uint32_t); void (*select)(LV2_Handle, uint32_t, uint32_t);
        } Programs;
        static const Program all[] = {{0, 5, "Warm"}, {1, 0, "Loud"}, {130, 7, "Broken"}};
        INSTANTIATE(start) { return make(rate, features); }
        static const Program *get(LV2_Handle h, uint32_t i) { return i < 3 ? all + i : 0; }
        static void choose(LV2_Handle h, uint32_t bank, uint32_t program) {
          Self *s = h;
          if (s->state[1]) abort();
          s->state[0] = bank == 1;
          *s->port[2] = bank == 130 ? NAN : bank == 1 ? 9 : 0.25f;
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h;
          s->state[1] = 1;
          for (uint32_t i = 0; i < n; ++i) s->port[1][i] = *s->port[2] + 0.5f * s->state[0];
          s->state[1] = 0;
        }
        static const void *extension(const char *uri) {
          static const Programs programs = {get, choose};
          return strcmp(uri, "\(Name.programsInterface)") ? 0 : &programs;
        }
        EXPORT(start, 0, run, extension)
        """)
    let layout = PluginLayout(
      sampleRate: 48_000, longestBlock: 64, channels: 1, isOffline: true, isolation: isolation)
    return try folder.world.rig(uri, layout)
  }

  @Test func `a plugin's programs are listed, and found by name or by bank and number`() throws {
    let (processor, _) = try programs()
    let listed = processor.programs
    #expect(listed.map(\.name) == ["Warm", "Loud", "Broken"])
    #expect(listed.map(\.change.bank) == [0, 1, 130] && listed.map(\.change.program) == [5, 0, 7])
    for (name, found) in [("Loud", 1), ("2/1", 1), ("1/6", 0), ("131/8", 2), ("3", 2)] {
      #expect(PluginProgram.find(name, among: listed) == listed[found])
    }
    for name in ["loud", "1/1", "0", "4", "", "/", "1/6/1"] {
      #expect(PluginProgram.find(name, among: listed) == nil)
    }
    let error = #expect(throws: PluginError.self) { try processor.load(preset: "No", isPlaying: { false }) }
    #expect(error == .unknownPreset("No", plugin: processor.uri, known: ["Warm", "Loud", "Broken"]))
  }

  @Test(arguments: [false, true])
  func `a program sets the parameters that the plugin writes, within their ranges`(isolated: Bool) throws {
    let (processor, rig) = try programs(isolation: isolated ? PluginIsolation() : nil)
    let values = try processor.select(ProgramChange(bank: 1, program: 0), isPlaying: { false })
    #expect(values.map(\.number) == [2] && values.map(\.value) == [9])
    #expect(rig.play([], frames: 64)[0] == [Float](repeating: 4.5, count: 64))
    // The maximum is 4. A program that the plugin does not have is ignored.
    #expect(try processor.select(ProgramChange(bank: 1, program: 1), isPlaying: { false }).isEmpty)
    #expect(rig.play([], frames: 64)[0] == [Float](repeating: 4.5, count: 64))
    #expect(try processor.select(ProgramChange(bank: 130, program: 7), isPlaying: { false }).isEmpty)
    #expect(rig.play([], frames: 64)[0] == [Float](repeating: 4, count: 64))
    #expect(try processor.load(preset: "1/6", isPlaying: { false }).map(\.value) == [0.25])
    #expect(rig.play([], frames: 64)[0] == [Float](repeating: 0.25, count: 64))
  }

  @Test func `a playing plugin is crossfaded to an instance with the program`() throws {
    let (processor, rig) = try programs()
    #expect(rig.play([], frames: 64)[0] == [Float](repeating: 1, count: 64))
    nonisolated(unsafe) let player = rig
    let isOver = Atomic(false), ended = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var sound: [Float] = []
    Thread {
      while !isOver.load(ordering: .acquiring) {
        sound += player.play([], frames: 64)[0]
        usleep(300)
      }
      ended.signal()
    }.start()
    let result = Result { try processor.select(ProgramChange(bank: 1, program: 0), isPlaying: { true }) }
    isOver.store(true, ordering: .releasing)
    ended.wait()
    #expect(try result.get().map(\.number) == [2])
    #expect(rig.play([], frames: 64)[0] == [Float](repeating: 4.5, count: 64))
    // 5 ms at 48 kHz, without a step.
    let steps = zip(sound, sound.dropFirst()).map { $1 - $0 }
    #expect((steps.allSatisfy { $0 >= 0 && $0 <= 3.5 / 240 + 0.001 }) as Bool)
  }

  @Test func `the selected bank stays when an instance is replaced`() throws {
    let (processor, rig) = try rig(.preset)
    rig.play([ones], blocks: [64], notes: [.init(frame: 0, bytes: [0xB0, 0, 1])])
    #expect(try processor.refit(to: 128, isPlaying: { true }) == .made)
    // Both instances play until the new one has faded in.
    var reported: [ProgramChange] = []
    var number: UInt8 = 0
    while !processor.finishRefit(isPlaying: { true }) {
      try #require(number < 100)
      rig.play([ones], blocks: [128], notes: program(number))
      reported += [processor.takeProgramChange(), processor.takeProgramChange()].compactMap(\.self)
      number += 1
    }
    #expect(number > 1)
    #expect(reported == (0..<Int(number)).map { ProgramChange(bank: 128, program: $0) })
    rig.play([ones], blocks: [128], notes: program(5))
    #expect(processor.takeProgramChange() == ProgramChange(bank: 128, program: 5))
  }
}
