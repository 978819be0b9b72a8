// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletLV2

/// Plugins with an options interface, which are given the new block length.
extension RefitTests {
  /// The plugin `code` with an options interface: when it accepts a new length, its state value becomes 77.
  private static func listening(_ answer: String) -> String {
    code.replacing("EXPORT(start, 0, run, extension)", with: "")
      + """
      static uint32_t get(LV2_Handle h, LV2_Options_Option *o) { return LV2_OPTIONS_ERR_UNKNOWN; }
      static uint32_t set(LV2_Handle h, const LV2_Options_Option *o) {
        Self *s = h;
        if (\(answer)) return \(answer);
        for (; o->key; ++o)
          if (o->key == key(s, LV2_BUF_SIZE__maxBlockLength)) s->state[0] = *(const int32_t *)o->value;
        s->state[2] = 77;
        return 0;
      }
      static const void *more(const char *uri) {
        static const LV2_Options_Interface options = {get, set};
        return strcmp(uri, LV2_OPTIONS__interface) ? extension(uri) : &options;
      }
      EXPORT(start, 0, run, more)
      """
  }

  @Test(arguments: [("LV2_OPTIONS_SUCCESS", true), ("LV2_OPTIONS_ERR_BAD_VALUE", false)])
  func `a plugin with an options interface is replaced only if it rejects the new length`(
    answer: String, accepts: Bool
  ) throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "listening", ports: Self.ports,
      more:
        "; lv2:requiredFeature bufsz:boundedBlockLength ; lv2:extensionData state:interface, opts:interface",
      code: Self.listening(answer))
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 64, channels: 1)
    let (processor, rig) = try folder.world.rig(uri, layout)
    let before = processor.body.instances[0].handle
    let audio = AudioThread(rig)
    #expect(try processor.refit(to: 128, isPlaying: { true }) == (accepts ? .lengthAccepted : .made))
    while !processor.finishRefit(isPlaying: { true }) { usleep(500) }
    audio.stop()
    #expect((processor.body.instances[0].handle == before) == accepts)
    #expect(try processor.refit(to: 128, isPlaying: { true }) == .unneeded)
    // A block of the new length is no longer split.
    rig.play([ones], blocks: [128])
    #expect(rig.meter(0) == 128 && rig.meter(2) == (accepts ? 77 : 100))
    #expect(processor.body.guarantee.longest == 128)
  }

  @Test func `a plugin whose work does not end is replaced, not given the new length`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "listening", ports: Self.ports,
      more: """
        ; lv2:requiredFeature bufsz:boundedBlockLength, work:schedule
        ; lv2:extensionData state:interface, opts:interface, work:interface
        """,
      code: Self.listening("LV2_OPTIONS_SUCCESS").replacing("EXPORT(start, 0, run, more)", with: "")
        + """
        #include <unistd.h>
        static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function f, LV2_Worker_Respond_Handle r,
          uint32_t size, const void *data) {
          ((Self *)h)->state[7] = 1;
          for (int k = 0; k < 20000 && access("\(folder.path)/go", 0); ++k) usleep(1000);
          return 0;
        }
        static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) { return 0; }
        static void busy(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
          if (!s->state[6]++) w->schedule_work(w->handle, 8, s);
          run(h, n);
        }
        static const void *most(const char *uri) {
          static const LV2_Worker_Interface worker = {work, response, 0};
          return strcmp(uri, LV2_WORKER__interface) ? more(uri) : &worker;
        }
        EXPORT(start, 0, busy, most)
        """)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 64, channels: 1)
    let (processor, rig) = try folder.world.rig(uri, layout)
    let handle = try #require(processor.body.instances[0].handle)
    let audio = AudioThread(rig)
    while handle.load(fromByteOffset: 32 * 8 + 7 * 8, as: Int.self) == 0 { usleep(1000) }
    #expect(try processor.refit(to: 128, isPlaying: { true }) == .made)
    #expect(FileManager.default.createFile(atPath: folder.path + "/go", contents: nil))
    while !processor.finishRefit(isPlaying: { true }) { usleep(500) }
    audio.stop()
    #expect(processor.body.instances[0].handle != handle && processor.body.layout.period == 128)
  }
}
