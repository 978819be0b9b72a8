// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// Faults known from other hosts, which a plugin looks for and does not find.
///
/// Other known faults are tested elsewhere: locks and sockets on the audio thread, and plans that are not exchanged
/// as a whole (RealtimeSanitizer in all tests, `GraphTests`); latency in both directions (`JackTests`); bypass of
/// plugins without `lv2:enabled` (`GraphTests`); a state for each instance of a pair, and `restore` beside `run`
/// (`StateTests`); the handle passed to `end_run` (`WorkTests`); names of unknown nodes (`ManifestTests`).
@Suite struct OtherHostsTests {
  private static let event = "lv2:InputPort, atom:AtomPort", output = "lv2:OutputPort, lv2:ControlPort"

  /// Ports with an event input that has neither `lv2:control` nor a buffer size. The only required feature is
  /// `urid:map`.
  private static let ports =
    FixtureFolder.throughPorts + " , "
    + [
      FixtureFolder.port(
        2, "events", event, "; atom:bufferType atom:Sequence ; atom:supports midi:MidiEvent"),
      FixtureFolder.port(3, "told", "lv2:OutputPort, atom:AtomPort", "; atom:bufferType atom:Sequence"),
      FixtureFolder.port(4, "latency", output, "; lv2:designation lv2:latency"),
      FixtureFolder.port(5, "seen", output), FixtureFolder.port(6, "outside", output),
      FixtureFolder.port(7, "unlike", output),
    ].joined(separator: " , ")

  private static let code = """
    INSTANTIATE(start) {
      Self *s = make(rate, features);
      const LV2_Options_Option *option = feature(features, LV2_OPTIONS__options);
      LV2_URID_Map *map = feature(features, LV2_URID__map);
      if (!map) return 0;
      s->state[4] = map->map(map->handle, LV2_ATOM__Sequence);
      for (; option && option->key; ++option)
        if (option->key == map->map(map->handle, LV2_BUF_SIZE__minBlockLength)) s->state[3] = *(const int *)option->value;
      return s;
    }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h;
      memmove(s->port[1], s->port[0], n * sizeof(float));
      const LV2_Atom_Sequence *in = (const void *)s->port[2];
      LV2_Atom_Sequence *out = (void *)s->port[3];
      if (in) LV2_ATOM_SEQUENCE_FOREACH(in, event) {
        s->state[0]++;
        if (event->time.frames < 0 || event->time.frames >= n) s->state[1]++;
      }
      if (out->atom.size < sizeof(LV2_Atom_Sequence_Body)) s->state[1]++;
      out->atom.type = s->state[4];
      out->atom.size = sizeof(LV2_Atom_Sequence_Body);
      memset(&out->body, 0, sizeof out->body);
      if (s->state[3] && n != s->state[3]) s->state[2]++;
      *s->port[4] = s->state[0] > 2 ? 24 : 8;
      for (int k = 0; k < 3; ++k) *s->port[5 + k] = s->state[k];
    }
    EXPORT(start, 0, run, 0)
    """

  @Test func `events are inside their block, and meters and a changed latency are read after it`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "looker", ports: Self.ports, more: "; lv2:requiredFeature urid:map", code: Self.code)
    let (processor, stage) = try folder.world.stage(
      uri, PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1))
    #expect(processor.latency.load(ordering: .relaxed) == 8)
    // The first and the last frame of blocks, and one in each part of a block that is split.
    let frames: [Int64] = [0, 63, 64, 127, 130, 150, 191, 255, 640]
    stage.play(
      [noise(1024)], blocks: [64], notes: frames.map { ProcessorRig.Note(frame: $0, bytes: [0x90, 60, 1]) })
    #expect((0..<2).map(stage.meter) == [Float(frames.count), 0])
    #expect(processor.latency.load(ordering: .relaxed) == 24)
  }

  @Test func `a promised block length is kept`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "strictlooker", ports: Self.ports,
      more:
        "; lv2:requiredFeature urid:map , opts:options , bufsz:fixedBlockLength ; opts:requiredOption bufsz:minBlockLength",
      code: Self.code)
    let (_, stage) = try folder.world.stage(
      uri, PluginLayout(sampleRate: 48_000, longestBlock: 256, period: 128, channels: 1))
    stage.play(
      [noise(2048)], blocks: [128, 256], notes: [ProcessorRig.Note(frame: 70, bytes: [0x90, 60, 1])])
    #expect((0..<3).map(stage.meter) == [1, 0, 0])
  }
}
