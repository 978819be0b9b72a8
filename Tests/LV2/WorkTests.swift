// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// The worker, the log and states, observed by small plugins that use them.
@Suite struct WorkTests {
  static let output = "lv2:OutputPort, lv2:ControlPort", input = "lv2:InputPort, lv2:ControlPort"
  private static let meters =
    FixtureFolder.throughPorts
    + " , "
    + ["asked", "answered", "ended", "late", "same"].enumerated()
    .map { FixtureFolder.port($0 + 2, $1, output) }.joined(separator: " , ")
  private static let needsWorker = "; lv2:requiredFeature work:schedule ; lv2:extensionData work:interface"

  /// A plugin whose runs schedule work with the next number; the work responds with that number.
  private static let working = """
    #include <pthread.h>
    #include <unistd.h>
    static pthread_t audio;
    INSTANTIATE(start) { return make(rate, features); }
    static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function respond,
      LV2_Worker_Respond_Handle r, uint32_t size, const void *data) {
      Self *s = h; s->state[4] = pthread_equal(pthread_self(), audio);
      usleep(2000);
      return respond(r, size, data);
    }
    static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) {
      Self *s = h; s->state[1] = size == sizeof(long) ? *(const long *)data : -1;
      if (s->state[1] != s->state[0]) s->state[3]++;
      return 0;
    }
    static LV2_Worker_Status end_run(LV2_Handle h) { ((Self *)h)->state[2]++; return 0; }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h; audio = pthread_self();
      for (int k = 0; k < 5; ++k) *s->port[2 + k] = s->state[k];
      LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
      s->state[0]++;
      if (w->schedule_work(w->handle, sizeof(long), &s->state[0])) s->state[0]--;
    }
    static const void *extension(const char *uri) {
      static const LV2_Worker_Interface worker = {work, response, end_run};
      return strcmp(uri, LV2_WORKER__interface) ? 0 : &worker;
    }
    EXPORT(start, 0, run, extension)
    """

  @Test func `offline, scheduled work is done before the next run`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add("worker", ports: Self.meters, more: Self.needsWorker, code: Self.working)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1, isOffline: true)
    let (_, rig) = try folder.world.rig(uri, layout)
    rig.play([], frames: 64 * 101, blocks: [64])
    #expect((0..<5).map(rig.meter) == [100, 100, 100, 0, 0])
  }

  @Test func `live, work is done on another thread, in order, and no run waits`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add("worker", ports: Self.meters, more: Self.needsWorker, code: Self.working)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1)
    let (_, rig) = try folder.world.rig(uri, layout)
    let start = ContinuousClock.now
    rig.play([], frames: 64 * 100, blocks: [64])
    // Each work call takes 2 ms; 100 runs that waited would take 200 ms.
    #expect(ContinuousClock.now - start < .milliseconds(100))
    for _ in 0..<200 where rig.meter(1) < 100 {
      usleep(5000)
      rig.play([], frames: 64, blocks: [64])
    }
    #expect(rig.meter(1) >= 100 && rig.meter(4) == 0)
    #expect(rig.meter(2) == rig.meter(0))
  }

  @Test func `a freewheeling cycle waits for work, even if the plugin was last set to live`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add("worker", ports: Self.meters, more: Self.needsWorker, code: Self.working)
    let (processor, rig) = try folder.world.rig(uri)
    rig.play([], frames: 64 * 50, blocks: [64])
    processor.listen(true)
    rig.transport.isFreewheeling = true
    rig.play([], frames: 128, blocks: [64])
    #expect(rig.meter(1) == rig.meter(0))
  }

  /// A plugin whose work is scheduled in the second run, and ends when the semaphore `go` is posted.
  private static let slow = """
    #include <semaphore.h>
    #include <stdatomic.h>
    typedef struct { sem_t go; atomic_int isWorking; } Shared;
    INSTANTIATE(start) {
      Self *s = make(rate, features); Shared *shared = (void *)(s->state + 8); sem_init(&shared->go, 0, 0);
      return s;
    }
    static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function f, LV2_Worker_Respond_Handle r,
      uint32_t size, const void *data) {
      Shared *shared = (void *)(((Self *)h)->state + 8);
      shared->isWorking = 1;
      while (sem_wait(&shared->go)) {}
      return 0;
    }
    static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) { return 0; }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h; LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
      if (s->state[0]++ == 1) w->schedule_work(w->handle, 8, s);
    }
    static const void *extension(const char *uri) {
      static const LV2_Worker_Interface worker = {work, response, 0};
      return strcmp(uri, LV2_WORKER__interface) ? 0 : &worker;
    }
    EXPORT(start, 0, run, extension)
    """

  /// Ends the work of the plugin above. Its `Shared` lies after the ports and eight state values.
  private func end(_ processor: PluginProcessor) {
    guard let handle = processor.body.instances[0].handle else { return }
    sem_post((handle + 32 * 8 + 8 * 8).assumingMemoryBound(to: sem_t.self))
  }

  @Test func `a live cycle does not wait, even if the plugin was last set to freewheeling`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "slow", ports: FixtureFolder.throughPorts, more: Self.needsWorker, code: Self.slow)
    let (processor, rig) = try folder.world.rig(uri)
    processor.listen(false)
    rig.play([], frames: 128, blocks: [64])
    // A cycle that waits returns when its time limit ends, and reports that.
    #expect(processor.takeFaults().isEmpty)
    end(processor)
  }

  @Test func `a waiting cycle continues as soon as the plugin is set to live`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "slow", ports: FixtureFolder.throughPorts, more: Self.needsWorker, code: Self.slow)
    let (processor, rig) = try folder.world.rig(uri)
    processor.body.worker?.timeout.store(60_000_000, ordering: .relaxed)
    rig.transport.isFreewheeling = true
    nonisolated(unsafe) let played = rig
    let ended = DispatchSemaphore(value: 0)
    Thread {
      played.play([], frames: 128, blocks: [64])
      ended.signal()
    }.start()
    let isWorking = 32 * 8 + 8 * 8 + MemoryLayout<sem_t>.size
    let handle = try #require(processor.body.instances[0].handle)
    while handle.load(fromByteOffset: isWorking, as: Int32.self) == 0 { usleep(1000) }
    #expect(ended.wait(timeout: .now()) == .timedOut)
    processor.listen(true)
    ended.wait()
    #expect(processor.takeFaults().isEmpty)
    end(processor)
  }

  @Test func `a plugin with unfinished work can be freed`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add("worker", ports: Self.meters, more: Self.needsWorker, code: Self.working)
    let world = folder.world
    for _ in 0..<20 {
      let (_, rig) = try world.rig(uri)
      rig.play([], frames: 64 * 20, blocks: [64])
    }
  }

  @Test func `log messages from run are reported, and lost ones counted`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "talker", ports: FixtureFolder.throughPorts,
      more: "; lv2:requiredFeature <http://lv2plug.in/ns/ext/log#log>",
      code: """
        INSTANTIATE(start) {
          Self *s = make(rate, features);
          LV2_URID_Map *map = feature(features, LV2_URID__map);
          s->state[1] = map->map(map->handle, LV2_LOG__Warning);
          return s;
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_Log_Log *log = feature(s->features, LV2_LOG__log);
          log->printf(log->handle, s->state[1], "run %ld of %s\\n", ++s->state[0], "many");
        }
        EXPORT(start, 0, run, 0)
        """)
    let (processor, rig) = try folder.world.rig(uri)
    rig.play([], frames: 2, blocks: [1])
    #expect(
      processor.takeMessages() == [
        PluginMessage(level: .warning, text: "run 1 of many"),
        PluginMessage(level: .warning, text: "run 2 of many"),
      ])
    #expect(processor.takeMessages().isEmpty)
    rig.play([], frames: 300, blocks: [1])
    let messages = processor.takeMessages()
    #expect(messages.count == 129)
    #expect(messages.first?.text == "run 3 of many")
    #expect(messages.last?.text.hasPrefix("172 messages were lost") == true)
  }
}
