// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// Plugins that depend on the block length, when the block length changes.
@Suite struct RefitTests {
  /// A plugin that outputs its input times `gain` times its guaranteed block length / 128. Its meters show that length,
  /// how many runs had another length, and a value that only its state keeps: the first sample of each instance, in
  /// percent.
  static let code = """
    static LV2_URID key(Self *s, const char *uri) {
      LV2_URID_Map *map = feature(s->features, LV2_URID__map); return map->map(map->handle, uri);
    }
    INSTANTIATE(start) {
      Self *s = make(rate, features);
      for (const LV2_Options_Option *o = feature(features, LV2_OPTIONS__options); o->key; ++o)
        if (o->key == key(s, LV2_BUF_SIZE__maxBlockLength)) s->state[0] = *(const int32_t *)o->value;
      return s;
    }
    static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle t, uint32_t f,
      const LV2_Feature *const *x) {
      Self *s = h; int32_t first = s->state[2];
      return store(t, key(s, "urn:first"), &first, 4, key(s, LV2_ATOM__Int), LV2_STATE_IS_POD);
    }
    static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle t,
      uint32_t f, const LV2_Feature *const *features) {
      Self *s = h; size_t size; uint32_t type, flags;
      const int32_t *first = retrieve(t, key(s, "urn:first"), &size, &type, &flags);
      if (first && size == 4) s->state[2] = *first;
      return 0;
    }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h;
      if (n != s->state[0]) s->state[1]++;
      if (!s->state[2]) s->state[2] = lroundf(s->port[0][0] * 100);
      for (uint32_t i = 0; i < n; ++i) s->port[1][i] = s->port[0][i] * *s->port[2] * s->state[0] / 128;
      for (int k = 0; k < 3; ++k) *s->port[3 + k] = s->state[k];
    }
    static const void *extension(const char *uri) {
      static const LV2_State_Interface state = {save, restore};
      return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
    }
    EXPORT(start, 0, run, extension)
    """
  static let ports =
    ([
      FixtureFolder.throughPorts,
      FixtureFolder.port(2, "gain", "lv2:InputPort, lv2:ControlPort", "; lv2:default 1.0 ; lv2:maximum 4.0"),
    ]
    + ["length", "broken", "first"].enumerated().map {
      FixtureFolder.port($0 + 3, $1, "lv2:OutputPort, lv2:ControlPort")
    }).joined(separator: " , ")

  /// Returns a plugin that requires `features`, made for blocks of 64 frames.
  private func rig(
    _ features: String = "bufsz:powerOf2BlockLength", channels: Int = 1
  ) throws -> (PluginProcessor, ProcessorRig) {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "strict", ports: Self.ports,
      more: "; lv2:requiredFeature \(features) ; lv2:extensionData state:interface", code: Self.code)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 64, channels: channels)
    return try folder.world.rig(uri, layout)
  }

  /// The largest difference between successive samples.
  private func step(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  let ones = [Float](repeating: 1, count: 1024)

  @Test func `for a longer period a new instance is made, and the old one crossfades into it`() throws {
    let (processor, rig) = try rig()
    processor.set(2, to: 2, over: 0)
    var played = rig.play([ones], blocks: [64])[0]
    #expect(played.allSatisfy { $0 == 1 })
    // With the new period the old instance still plays, in split blocks.
    played += rig.play([ones], blocks: [128])[0]
    #expect(try processor.refit(to: 128, isPlaying: { true }) == .made)
    #expect(!processor.finishRefit(isPlaying: { true }))
    played += rig.play([ones], blocks: [128])[0]
    #expect(processor.finishRefit(isPlaying: { true }))
    #expect(played.last == 2 && rig.meter(0) == 128 && rig.meter(1) == 0)
    // From 1 to 2 within 240 frames, and only once the new instance has rendered 240 frames.
    #expect(step(played) < 1.01 / 240)
    #expect(played[..<(2048 + 240)].allSatisfy { $0 == 1 })
    #expect(try processor.refit(to: 128, isPlaying: { true }) == .unneeded)
  }

  @Test func `a glide in progress continues`() throws {
    let (processor, rig) = try rig("bufsz:boundedBlockLength")
    rig.play([ones], blocks: [64])
    processor.set(2, to: 3, over: 2048)
    #expect(try processor.refit(to: 64, isPlaying: { true }) == .unneeded)
    #expect(try processor.refit(to: 32, isPlaying: { true }) == .made)
    var played: [Float] = []
    for _ in 0..<4 { played += rig.play([ones], blocks: [32])[0] }
    #expect(processor.finishRefit(isPlaying: { true }))
    // Half of the block length halves the output, at three times the gain.
    #expect(played.last == 0.75)
    #expect(step(played) < 0.05)
  }

  @Test func `each instance keeps its own state`() throws {
    let (processor, rig) = try rig(channels: 2)
    rig.play([ones.map { $0 / 4 }, ones.map { $0 / 2 }], frames: 64, blocks: [64])
    #expect(try processor.refit(to: 256, isPlaying: { true }) == .made)
    rig.play([], frames: 1024, blocks: [256])
    #expect(processor.finishRefit(isPlaying: { true }))
    let kept = processor.body.instances.map { instance in
      instance.handle?.load(fromByteOffset: 32 * 8 + 2 * 8, as: Int.self)
    }
    #expect(kept == [25, 50])
  }

  @Test func `with an unsupported block length a plugin fades out, states the reason, and fades in later`()
    throws
  {
    let (processor, rig) = try rig()
    var played = rig.play([ones], blocks: [64])[0]
    let refusal = #expect(throws: PluginError.self) { try processor.refit(to: 48, isPlaying: { true }) }
    #expect(
      refusal?.reason
        == "it requires powerOf2BlockLength, and 48 frames are no power of two; choose a period that is one, such as 64"
    )
    #expect(!processor.plays(blocksOf: 48) && processor.plays(blocksOf: 128))
    played += rig.play([ones], frames: 480, blocks: [48])[0]
    #expect(played[(1024 + 48)...].allSatisfy { $0 == 0 })
    #expect(try processor.refit(to: 64, isPlaying: { true }) == .unneeded)
    played += rig.play([ones], blocks: [64])[0]
    #expect(played.last == 0.5)
    #expect(step(played) < 0.5 / 47)
    // Directly from an unsupported length to one that requires a new instance.
    played = rig.play([ones], frames: 48, blocks: [48])[0]
    #expect(try processor.refit(to: 32, isPlaying: { true }) == .made)
    played += rig.play([ones], blocks: [32])[0]
    #expect(processor.finishRefit(isPlaying: { true }))
    #expect(played.last == 0.25 && rig.meter(1) == 0)
    #expect(step(played) < 0.5 / 31)
  }

  @Test func `an idle plugin changes at once`() throws {
    let (processor, rig) = try rig()
    rig.play([ones], blocks: [64])
    #expect(try processor.refit(to: 512, isPlaying: { true }) == .made)
    #expect(try processor.refit(to: 128, isPlaying: { true }) == .busy)
    #expect(processor.finishRefit(isPlaying: { false }))
    #expect(rig.play([ones], blocks: [512])[0].allSatisfy { $0 == 4 })
    processor.freeSpent()
    #expect(rig.play([ones], blocks: [512])[0].last == 4)
  }

  @Test func `while a change of an idle plugin finishes, a restart does not take its gate`() throws {
    let (processor, rig) = try rig()
    rig.play([ones], blocks: [64])
    #expect(try processor.refit(to: 128, isPlaying: { true }) == .made)
    var questions = 0
    let isDone = processor.finishRefit {
      questions += 1
      guard questions == 2 else { return false }
      // In the middle of the change the gate is neither open nor closed.
      var timeout = 20
      #expect(throws: PluginError.stillRunning(processor.uri)) {
        try processor.restart(within: &timeout) { false }
      }
      return false
    }
    #expect(isDone && questions == 2)
    #expect(rig.play([ones], blocks: [128])[0].allSatisfy { $0 == 1 } && rig.meter(0) == 128)
    var timeout = 1000
    try processor.restart(within: &timeout) { false }
  }

  @Test func `a plugin follows repeated period changes while it plays`() throws {
    let (processor, rig) = try rig("bufsz:boundedBlockLength", channels: 2)
    let audio = AudioThread(rig)
    for round in 0..<40 {
      // A parameter changes meanwhile, and a freed instance is not played again.
      audio.gain.store(round % 3, ordering: .relaxed)
      #expect(try processor.refit(to: round.isMultiple(of: 2) ? 128 : 64, isPlaying: { true }) == .made)
      processor.listen(round.isMultiple(of: 5))
      while !processor.finishRefit(isPlaying: { true }) { usleep(500) }
      processor.freeSpent()
    }
    audio.stop()
    #expect(processor.body.layout.period == 64 && processor.body.values.map(\.value) == [Float(39 % 3)])
  }

  /// Plays a rig on its own thread until it is stopped.
  final class AudioThread: @unchecked Sendable {
    let gain = Atomic<Int>(1)
    private let rig: ProcessorRig
    private let isOver = Atomic<Bool>(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ rig: ProcessorRig) {
      self.rig = rig
      let thread = Thread { [self] in
        while !isOver.load(ordering: .relaxed) {
          self.rig.processor.set(2, to: Float(gain.load(ordering: .relaxed)), over: 100)
          self.rig.play([], frames: 256, blocks: [64])
          usleep(200)
        }
        ended.signal()
      }
      thread.start()
    }

    func stop() {
      usleep(20_000)
      isOver.store(true, ordering: .relaxed)
      ended.wait()
    }
  }

  //  notes ──► old and new ──► notes
  @Test func `every event is output once`() throws {
    let folder = try FixtureFolder()
    let ports =
      FixtureFolder.port(0, "in", "lv2:InputPort, atom:AtomPort", "; atom:supports midi:MidiEvent") + " , "
      + FixtureFolder.port(1, "out", "lv2:OutputPort, atom:AtomPort", "; atom:supports midi:MidiEvent")
    let uri = try folder.add(
      "thru", ports: ports, more: "; lv2:requiredFeature bufsz:fixedBlockLength",
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_Atom_Sequence *in = (void *)s->port[0], *out = (void *)s->port[1];
          memcpy(out, in, 8 + in->atom.size);
        }
        EXPORT(start, 0, run, 0)
        """)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 64, channels: 1)
    let (processor, rig) = try folder.world.rig(uri, layout)
    let notes = (0..<100).map { ProcessorRig.Note(frame: Int64($0 * 20), bytes: [0x90, UInt8($0), 1]) }
    #expect(try processor.refit(to: 128, isPlaying: { true }) == .made)
    rig.play([], frames: 2048, blocks: [128], notes: notes)
    #expect(processor.finishRefit(isPlaying: { true }))
    #expect(rig.sent == notes)
  }

  /// An installed plugin, whose state names the file of its impulse response.
  @Test(arguments: [false, true])
  func `a convolver keeps its impulse response, replaced or given the new length`(isPlaying: Bool) throws {
    let layout = PluginLayout(
      sampleRate: 48_000, longestBlock: 1024, period: 256, channels: 1, isOffline: true)
    let uri = "http://gareus.org/oss/lv2/zeroconvolv#Mono"
    let impulse: [Float] = [0, 0, 1] + [Float](repeating: 0, count: 1021)
    let (_, empty) = try PluginWorld.shared.rig(uri, layout)
    #expect(empty.play([impulse], blocks: [256])[0].allSatisfy { $0 == 0 }, "without a preset it is silent")
    let (processor, rig) = try PluginWorld.shared.rig(uri, layout, preset: "No-OP Mono")
    func isKept() -> Bool {
      let output = rig.play([impulse], blocks: [processor.body.layout.period ?? 0])[0]
      let latency = processor.latency.load(ordering: .relaxed)
      return zip(output.dropFirst(latency), impulse).allSatisfy { abs($0 - $1) < 1e-5 }
    }
    #expect(isKept())
    if isPlaying {
      let audio = AudioThread(rig)
      #expect(try processor.refit(to: 128, isPlaying: { true }) == .lengthAccepted)
      audio.stop()
    } else {
      #expect(try processor.refit(to: 128, isPlaying: { false }) == .made)
    }
    #expect(processor.finishRefit(isPlaying: { false }))
    processor.freeSpent()
    #expect(isKept())
  }

  @Test func `a plugin that supports any block length is not changed`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add("easy", ports: Self.ports, code: Self.code)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 64, channels: 1)
    let (processor, _) = try folder.world.rig(uri, layout)
    #expect(try processor.refit(to: 48, isPlaying: { true }) == .unneeded && processor.plays(blocksOf: 48))
  }
}
