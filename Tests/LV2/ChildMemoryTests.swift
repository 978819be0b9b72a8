// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletLV2

/// The memory that the host shares with isolated plugins, and plugins that misuse it.
@Suite(.timeLimit(.minutes(10))) struct ChildMemoryTests {
  private static let amplifier = "http://lv2plug.in/plugins/eg-amp"
  private static let output = "lv2:OutputPort, lv2:ControlPort"
  private static let events = "; atom:bufferType atom:Sequence ; atom:supports midi:MidiEvent"
  private let folder: FixtureFolder

  init() throws { folder = try FixtureFolder() }

  private func layout(isolated: Bool = true) -> PluginLayout {
    // The deadline is long enough for a processor with other work.
    PluginLayout(
      sampleRate: 48_000, longestBlock: 256, channels: 1,
      isolation: isolated ? PluginIsolation(deadline: 5) : nil)
  }

  @Test func `a child that overwrites its shared memory affects no other plugin or host memory`() throws {
    let uri = try folder.add(
      "vandal",
      ports: FixtureFolder.throughPorts + " , "
        + [
          FixtureFolder.port(2, "sent", "lv2:OutputPort, atom:AtomPort", Self.events),
          FixtureFolder.port(3, "level", Self.output),
        ].joined(separator: " , "), more: "; lv2:requiredFeature urid:map", code: Self.vandal)
    let (processor, vandal) = try folder.world.rig(uri, layout())
    let (_, neighbour) = try PluginWorld.shared.rig(Self.amplifier, layout(isolated: false))
    let (_, alone) = try PluginWorld.shared.rig(Self.amplifier, layout(isolated: false))
    let sound = noise(64)
    var soundingBlocks = 0, levels: Set<UInt32> = []
    for round in 0..<10_000 {
      // The output of the faulty plugin is noise, or silence once it has failed.
      if vandal.play([sound], blocks: [64])[0].contains(where: { $0 != 0 }) { soundingBlocks += 1 }
      levels.insert(vandal.meter(0).bitPattern)
      try #require(
        neighbour.play([sound], blocks: [64]) == alone.play([sound], blocks: [64]), "round \(round)")
    }
    #expect(soundingBlocks > 9900 && levels.count > 9900, "\(soundingBlocks) blocks, \(levels.count) levels")
    #expect(processor.takeProcessEvents().isEmpty)
    // A part of the random events is taken, each with a frame of its block.
    #expect(vandal.sent.count > 100)
    #expect(vandal.sent.allSatisfy { 0..<64 ~= $0.frame && $0.bytes.count < 16_384 })
  }

  /// Fills all shared memory that it may write to with random bytes. In some blocks the events begin as a sequence.
  private static let vandal = """
    #include <stdio.h>
    #include <sys/mman.h>
    INSTANTIATE(start) {
      Self *s = make(rate, features);
      LV2_URID_Map *map = feature(features, LV2_URID__map);
      s->state[0] = map->map(map->handle, LV2_ATOM__Sequence);
      return s;
    }
    static unsigned random_state = 1;
    static unsigned next(void) { return random_state = random_state * 1664525 + 1013904223; }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h;
      FILE *maps = fopen("/proc/self/maps", "r");
      char line[512];
      while (fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char rights[8];
        if (!strstr(line, "memfd:swiftlet") || sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3) continue;
        if (rights[1] == 'w') for (unsigned *p = (void *)from; p < (unsigned *)to; p++) *p = next();
      }
      fclose(maps);
      if (s->state[1]++ % 64 == 0) {
        char *p = (char *)s->port[2], *end = p + 16384;
        ((LV2_Atom *)p)->type = s->state[0];
        for (p += 16; p + 16 < end; ) {
          LV2_Atom_Event *event = (LV2_Atom_Event *)p;
          if (next() >> 26) event->body.size = next() >> 27;
          p += 16 + (event->body.size + 7) / 8 * 8 % 64;
        }
      }
      /* The host's memory, should a descriptor of it be left. */
      for (int file = 3; file < 32; file++) {
        void *host = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (host != MAP_FAILED) memset(host, 255, 4096), munmap(host, 4096);
      }
    }
    EXPORT(start, 0, run, 0)
    """

  /// Accesses of one page outside a buffer, in C.
  static let overruns = [
    "past an output": "for (int k = 0; k < 2048; k++) s->port[1][k] = 7;",
    "before an output": "for (int k = 0; k < 1024; k++) s->port[1][-k] = 7;",
    "past an event output": "memset((char *)s->port[2] + 16384, 255, 4096);",
    "before an event output": "memset((char *)s->port[2] - 4096, 255, 4096);",
    "past an input": "for (int k = 0; k < 2048; k++) s->port[1][0] += s->port[0][k];",
    "before an input": "for (int k = 0; k < 1024; k++) s->port[1][0] += s->port[0][-k];",
  ]

  @Test(arguments: overruns.keys.sorted())
  func `a plugin that leaves its buffer by a page is ended by signal 11, and only it`(_ kind: String) throws {
    let access = try #require(Self.overruns[kind])
    let uri = try folder.add(
      "overrun",
      ports: FixtureFolder.throughPorts + " , "
        + FixtureFolder.port(2, "sent", "lv2:OutputPort, atom:AtomPort", Self.events),
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h;
          int isBad = s->port[0][0] == 0.25f;
          memcpy(s->port[1], s->port[0], n * sizeof(float));
          if (isBad) { \(access) }
        }
        EXPORT(start, 0, run, 0)
        """)
    let (processor, rig) = try folder.world.rig(uri, layout())
    let neighbours = try [true, false].map {
      try PluginWorld.shared.rig(Self.amplifier, layout(isolated: $0))
    }
    var sound = noise(256 * 8)
    sound[256 * 4] = 0.25
    var played: [Float] = []
    for start in stride(from: 0, to: sound.count, by: 256) {
      let block = Array(sound[start..<start + 256])
      played += rig.play([block])[0]
      for (_, neighbour) in neighbours { #expect((neighbour.play([block]) == [block]) as Bool) }
    }
    #expect((played[..<1024].elementsEqual(sound[..<1024])) as Bool)
    var events = processor.takeProcessEvents()
    let end = ContinuousClock.now + .seconds(10)
    while events.isEmpty, .now < end {
      usleep(1000)
      events = processor.takeProcessEvents()
    }
    #expect("\(events.first, default: "no event")".contains("signal 11"), "\(events)")
    for (neighbour, _) in neighbours { #expect(neighbour.takeProcessEvents().isEmpty) }
  }

  @Test func `a child cannot make the host's memory writable, and maps nothing of /dev/shm`() throws {
    let uri = try folder.add(
      "prying",
      ports: FixtureFolder.throughPorts,
      code: """
        #include <fcntl.h>
        #include <stdio.h>
        #include <sys/mman.h>
        #include <unistd.h>
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h;
          float areas = 0, breaches = 0, named = 0;
          FILE *maps = fopen("/proc/self/maps", "r");
          int memory = open("/proc/self/mem", O_RDWR);
          char line[512], byte = 255;
          while (fgets(line, sizeof line, maps)) {
            unsigned long from, to;
            char rights[8];
            if (strstr(line, "/dev/shm")) named++;
            if (!strstr(line, "memfd:swiftlet") || sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3) continue;
            if (rights[0] != 'r' || rights[1] == 'w') continue;
            areas++;
            if (!mprotect((void *)from, to - from, PROT_READ | PROT_WRITE)) breaches++;
            if (pwrite(memory, &byte, 1, to - 1) == 1) breaches++;
          }
          fclose(maps);
          memset(s->port[1], 0, n * sizeof(float));
          s->port[1][0] = areas; s->port[1][1] = breaches; s->port[1][2] = named; s->port[1][3] = memory >= 0;
        }
        EXPORT(start, 0, run, 0)
        """)
    let (_, rig) = try folder.world.rig(uri, layout())
    let found = rig.play([noise(256)])[0]
    #expect(found[0] >= 1 && found[3] == 1)
    #expect(found[1] == 0 && found[2] == 0)
  }
}
