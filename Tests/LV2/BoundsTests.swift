// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Glibc
import Synchronization
import Testing

@testable import SwiftletLV2

/// Limits on plugins' calls from the audio thread and its worker, and corrections of their mistakes.
@Suite struct BoundsTests {
  private static let worker = "; lv2:requiredFeature work:schedule ; lv2:extensionData work:interface"
  private static let output = "lv2:OutputPort, lv2:ControlPort"

  @Test func `a message without bytes but with a size is refused`() throws {
    let ring = MessageRing(capacity: 64)
    // Evaluated one by one: the macro `#expect` would copy the ring.
    let isRefused = !ring.write(tag: 1, nil, size: 8)
    let isEmpty = ring.read(before: ring.end) == nil
    let isTaken = ring.write(tag: 2, nil, size: 0)
    let message = ring.read(before: ring.end)
    #expect(isRefused && isEmpty && isTaken)
    #expect(message?.tag == 2 && message?.size == 0)
  }

  @Test func `a message longer than the ring is dropped with all messages behind it`() throws {
    let ring = MessageRing(capacity: 64)
    let wild = [UInt8](repeating: 0xFF, count: 24), sound: [UInt8] = [1, 2, 3]
    _ = ring.write(tag: 1, wild, size: 24)
    // A read limit inside a message, as after two concurrent writes; then arbitrary bytes are read as a header.
    let isTorn = ring.read(before: 8) == nil
    let isWild = ring.read(before: ring.end) == nil
    _ = ring.write(tag: 2, sound, size: 3)
    let next = ring.read(before: ring.end)
    let bytes = next.map { [UInt8](UnsafeRawBufferPointer(start: $0.bytes, count: Int($0.size))) }
    #expect(isTorn && isWild)
    #expect(next?.tag == 2 && bytes == sound)
  }

  @Test(arguments: [false, true])
  func `work scheduled from within work is refused, while playing and while restoring`(isolated: Bool) throws
  {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "restless",
      ports: [FixtureFolder.port(0, "status", Self.output), FixtureFolder.port(1, "works", Self.output)]
        .joined(separator: " , "),
      more: "; lv2:requiredFeature state:loadDefaultState ; lv2:extensionData state:interface ;"
        + " state:state [ <urn:key> 5 ] " + Self.worker,
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static void ask(Self *s) {
          LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
          s->state[0] = w->schedule_work(w->handle, 8, s);
        }
        static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function f, LV2_Worker_Respond_Handle r,
          uint32_t size, const void *data) { if (++((Self *)h)->state[1] < 100) ask(h); return 0; }
        static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) { return 0; }
        static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function s, LV2_State_Handle t, uint32_t f,
          const LV2_Feature *const *x) { return 0; }
        static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle t,
          uint32_t f, const LV2_Feature *const *features) {
          Self *s = h; LV2_Worker_Schedule *w = feature(features, LV2_WORKER__schedule);
          s->state[0] = 9;
          w->schedule_work(w->handle, 8, s);
          return 0;
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
          *s->port[0] = s->state[0]; *s->port[1] = s->state[1];
          if (s->state[2]++ == 0) { s->state[0] = 9; w->schedule_work(w->handle, 8, s); }
        }
        static const void *extension(const char *uri) {
          static const LV2_Worker_Interface worker = {work, response, 0};
          static const LV2_State_Interface state = {save, restore};
          return strcmp(uri, LV2_STATE__interface) ? strcmp(uri, LV2_WORKER__interface) ? 0 : &worker : &state;
        }
        EXPORT(start, 0, run, extension)
        """)
    let layout = PluginLayout(
      sampleRate: 48_000, longestBlock: 64, channels: 1, isOffline: true,
      isolation: isolated ? PluginIsolation() : nil)
    let (processor, rig) = try folder.world.rig(uri, layout)
    rig.play([], frames: 64, blocks: [64])
    #expect(rig.meter(0) == 1 && rig.meter(1) == 1, "while it was restored")
    rig.play([], frames: 64, blocks: [64])
    #expect(rig.meter(0) == 1 && rig.meter(1) == 2, "while it played")
    // The other process reports it on a thread of its own.
    var faults = processor.takeFaults()
    for _ in 0..<10_000 where faults.isEmpty {
      usleep(1000)
      faults = processor.takeFaults()
    }
    #expect(
      faults == [
        "schedules work from within 'work', which LV2 forbids; the request was refused"
      ])
  }

  @Test func `scheduling work of a size without data fails`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "empty", ports: FixtureFolder.port(0, "status", Self.output), more: Self.worker,
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function f, LV2_Worker_Respond_Handle r,
          uint32_t size, const void *data) { return 0; }
        static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) { return 0; }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
          *s->port[0] = w->schedule_work(w->handle, 8, 0);
        }
        static const void *extension(const char *uri) {
          static const LV2_Worker_Interface worker = {work, response, 0};
          return strcmp(uri, LV2_WORKER__interface) ? 0 : &worker;
        }
        EXPORT(start, 0, run, extension)
        """)
    let (_, rig) = try folder.world.rig(uri)
    rig.play([], frames: 64)
    #expect(rig.meter(0) == 1)
  }

  @Test func `a worker that keeps responding blocks the audio thread for one ring at most`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "chatty", ports: FixtureFolder.port(0, "answers", Self.output), more: Self.worker,
      code: """
        #include <time.h>
        #include <unistd.h>
        INSTANTIATE(start) { return make(rate, features); }
        static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function respond,
          LV2_Worker_Respond_Handle r, uint32_t size, const void *data) {
          static char long_answer[8000];
          time_t end = time(0) + 3;
          while (time(0) < end) respond(r, sizeof long_answer, long_answer);
          return 0;
        }
        static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) {
          ((Self *)h)->state[0]++; usleep(1000); return 0;
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
          *s->port[0] = s->state[0];
          if (!s->state[1]++) w->schedule_work(w->handle, 8, s);
        }
        static const void *extension(const char *uri) {
          static const LV2_Worker_Interface worker = {work, response, 0};
          return strcmp(uri, LV2_WORKER__interface) ? 0 : &worker;
        }
        EXPORT(start, 0, run, extension)
        """)
    let (_, rig) = try folder.world.rig(uri)
    rig.play([], frames: 64, blocks: [64])
    usleep(100_000)
    rig.play([], frames: 128, blocks: [64])
    // The ring holds eight responses of 8,000 bytes, and two runs have ended.
    #expect(1...16 ~= rig.meter(0))
  }

  @Test func `offline, a hanging worker is waited for once, and reported`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "hanging", ports: FixtureFolder.port(0, "done", Self.output), more: Self.worker,
      code: """
        #include <unistd.h>
        INSTANTIATE(start) { return make(rate, features); }
        static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function f, LV2_Worker_Respond_Handle r,
          uint32_t size, const void *data) { usleep(1500000); ((Self *)h)->state[1] = 1; return 0; }
        static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) { return 0; }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
          *s->port[0] = s->state[1];
          if (!s->state[0]++) w->schedule_work(w->handle, 8, s);
        }
        static const void *extension(const char *uri) {
          static const LV2_Worker_Interface worker = {work, response, 0};
          return strcmp(uri, LV2_WORKER__interface) ? 0 : &worker;
        }
        EXPORT(start, 0, run, extension)
        """)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1, isOffline: true)
    let (processor, rig) = try folder.world.rig(uri, layout)
    processor.body.worker?.timeout.store(50_000, ordering: .relaxed)
    let start = ContinuousClock.now
    rig.play([], frames: 64 * 20, blocks: [64])
    #expect(ContinuousClock.now - start < .milliseconds(1000))
    #expect(rig.meter(0) == 0)
    #expect(
      processor.takeFaults() == [
        "does not finish its scheduled work; the host no longer waits for it, so the next render may differ"
      ])
    usleep(1_600_000)
    rig.play([], frames: 128, blocks: [64])
    #expect(rig.meter(0) == 1 && processor.takeFaults().isEmpty)
  }

  @Test func `a plugin whose work never ends is abandoned, and memory that it may use is kept`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "endless", ports: FixtureFolder.port(0, "count", Self.output), more: Self.worker,
      code: """
        #include <unistd.h>
        INSTANTIATE(start) { return make(rate, features); }
        static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function f, LV2_Worker_Respond_Handle r,
          uint32_t size, const void *data) { for (;;) { ((Self *)h)->state[0]++; usleep(1000); } return 0; }
        static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) { return 0; }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
          w->schedule_work(w->handle, 8, s);
        }
        static const void *extension(const char *uri) {
          static const LV2_Worker_Interface worker = {work, response, 0};
          return strcmp(uri, LV2_WORKER__interface) ? 0 : &worker;
        }
        EXPORT(start, 0, run, extension)
        """)
    let world = folder.world
    let start = ContinuousClock.now
    do {
      let (processor, rig) = try world.rig(uri)
      processor.body.worker?.timeout.store(0, ordering: .relaxed)
      rig.play([], frames: 64, blocks: [64])
      usleep(20_000)
    }
    #expect(ContinuousClock.now - start < .seconds(3))
    // The worker's thread continues in memory that is still allocated.
    usleep(20_000)
  }
}
