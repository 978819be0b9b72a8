// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletLV2

/// LV2's threading classes, checked by a plugin that records which calls overlap and on which thread they run.
@Suite struct ThreadingTests {
  private let folder: FixtureFolder

  init() throws { folder = try FixtureFolder() }

  //  bit 0: run during restore, activate, deactivate or cleanup of the same instance
  //  bit 1: work during them
  //  bit 2: instantiate, activate, deactivate, cleanup, save or restore on the audio thread
  //  bit 3: run on two threads at once
  private static let code = """
    #include <unistd.h>
    static volatile int faults, restores, saves, starts, ends;
    static _Thread_local int is_audio;
    typedef struct { int run, alone, work; } Busy;
    #define BUSY(h) ((Busy *)((Self *)h)->state)
    #define ADD(count, n) __atomic_add_fetch(&(count), n, __ATOMIC_SEQ_CST)
    static void fault(int bit) { __atomic_or_fetch(&faults, bit, __ATOMIC_SEQ_CST); }
    static void alone(LV2_Handle h, volatile int *count) {
      Busy *b = BUSY(h);
      if (is_audio) fault(4);
      ADD(*count, 1);
      ADD(b->alone, 1);
      for (int k = 0; k < 20; ++k) {
        if (__atomic_load_n(&b->run, __ATOMIC_SEQ_CST)) fault(1);
        if (__atomic_load_n(&b->work, __ATOMIC_SEQ_CST)) fault(2);
        usleep(100);
      }
      ADD(b->alone, -1);
    }
    static volatile int activations;
    INSTANTIATE(start) { if (is_audio) fault(4); ADD(starts, 1); return make(rate, features); }
    static void activate(LV2_Handle h) { alone(h, &activations); }
    static void deactivate(LV2_Handle h) { alone(h, &activations); }
    static void end(LV2_Handle h) { alone(h, &ends); free(h); }
    static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function respond,
      LV2_Worker_Respond_Handle r, uint32_t size, const void *data) {
      Busy *b = BUSY(h);
      ADD(b->work, 1);
      if (__atomic_load_n(&b->alone, __ATOMIC_SEQ_CST)) fault(2);
      usleep(300);
      ADD(b->work, -1);
      return respond(r, size, data);
    }
    static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) { return 0; }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h; Busy *b = BUSY(h);
      is_audio = 1;
      if (ADD(b->run, 1) > 1) fault(8);
      if (__atomic_load_n(&b->alone, __ATOMIC_SEQ_CST)) fault(1);
      float counts[] = {faults, restores, saves, starts, ends};
      for (uint32_t k = 0; k < n; ++k) s->port[1][k] = k < 5 ? counts[k] : 0;
      LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
      w->schedule_work(w->handle, 4, &n);
      ADD(b->run, -1);
    }
    static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle r,
      uint32_t flags, const LV2_Feature *const *f) {
      Self *s = h; LV2_URID_Map *map = feature(s->features, LV2_URID__map); int value = 1;
      if (is_audio) fault(4);
      ADD(saves, 1);
      return store(r, map->map(map->handle, "urn:test#k"), &value, 4, map->map(map->handle, LV2_ATOM__Int),
        LV2_STATE_IS_POD);
    }
    static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle r,
      uint32_t flags, const LV2_Feature *const *f) { alone(h, &restores); return 0; }
    static const void *extension(const char *uri) {
      static const LV2_State_Interface state = {save, restore};
      static const LV2_Worker_Interface worker = {work, response, 0};
      if (!strcmp(uri, LV2_WORKER__interface)) return &worker;
      return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
    }
    static const LV2_Descriptor descriptor =
      {PLUGIN, start, connect_port, activate, run, deactivate, end, extension};
    const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i == 0 ? &descriptor : 0; }
    """

  @Test func `restore, activate and cleanup stay off the audio thread and overlap neither run nor work`()
    throws
  {
    let uri = try folder.add(
      "threads",
      ports: FixtureFolder.throughPorts + " , "
        + FixtureFolder.port(2, "control", "lv2:InputPort, atom:AtomPort"),
      more:
        "; lv2:requiredFeature urid:map , work:schedule ; lv2:extensionData state:interface , work:interface",
      code: Self.code)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 2)
    let (processor, rig) = try folder.world.rig(uri, layout)
    let state = folder.path + "/threads.state", isDone = Done()
    let changes = Thread {
      for round in 0..<8 {
        _ = try? processor.save(stateTo: state, isPlaying: { true })
        _ = try? processor.load(stateFrom: state, isPlaying: { true })
        var timeout = 3000
        if round % 3 == 2 { try? processor.restart(within: &timeout) { true } }
      }
      isDone.flag.store(true, ordering: .releasing)
    }
    changes.start()
    let silence = [[Float]](repeating: [Float](repeating: 0, count: 64), count: 2)
    var counts: [Float] = []
    for _ in 0..<20_000 where !isDone.flag.load(ordering: .acquiring) {
      counts = Array(rig.play(silence, blocks: [64])[0].prefix(5))
      usleep(500)
    }
    let ended = isDone.flag.load(ordering: .acquiring)
    #expect(ended)
    #expect(counts[0] == 0, "the faults are \(counts[0])")
    // Both instances of the stereo pair, eight times.
    #expect(counts[1] >= 16 && counts[2] >= 16, "\(counts)")
    #expect(counts[3] > 2 && counts[4] >= 2, "\(counts)")
  }

  private final class Done: Sendable {
    let flag = Atomic(false)
  }
}
