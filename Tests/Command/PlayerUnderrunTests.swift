// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Players whose file is read too slowly. The thread that reads ahead has real-time priority, and computes in one of the
/// tests.
@Suite(.serialized, .runsAlone) struct PlayerUnderrunTests {
  /// A preloaded library: from two seconds after the first read of `slow.wav` on, each read of it takes four times as
  /// long as its sound lasts. Meanwhile the thread sleeps, as for a disk, or computes.
  private static let library = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <time.h>
    #include <unistd.h>

    static double now(clockid_t clock) {
      struct timespec time;
      clock_gettime(clock, &time);
      return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
    }

    static void linger(int file, size_t length) {
      static double first = 0;
      char link[64], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", file);
      ssize_t count = readlink(link, path, sizeof path - 1);
      if (count < 8 || strncmp(path + count - 8, "slow.wav", 8) != 0) return;
      if (first == 0) first = now(CLOCK_MONOTONIC);
      if (now(CLOCK_MONOTONIC) - first < 2) return;
      // Whole numbers of 16 bits, 48,000 a second.
      double seconds = 4 * (double)length / 96000;
      const char *mode = getenv("SLOW_FILE");
      if (mode && strcmp(mode, "compute") == 0) {
        for (double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds; now(CLOCK_THREAD_CPUTIME_ID) < end;) {
        }
      } else {
        struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
        nanosleep(&pause, NULL);
      }
    }

    ssize_t read(int file, void *data, size_t length) {
      static ssize_t (*real)(int, void *, size_t);
      if (!real) real = dlsym(RTLD_NEXT, "read");
      linger(file, length);
      return real(file, data, length);
    }

    ssize_t pread(int file, void *data, size_t length, off_t offset) {
      static ssize_t (*real)(int, void *, size_t, off_t);
      if (!real) real = dlsym(RTLD_NEXT, "pread");
      linger(file, length);
      return real(file, data, length, offset);
    }

    ssize_t pread64(int file, void *data, size_t length, off64_t offset) { return pread(file, data, length, offset); }
    """

  @Test(
    .timeLimit(.minutes(3)),
    arguments: [
      ("sleep", "the disk was too slow"),
      ("compute", "decoding and stretching took longer than the sound lasts"),
    ])
  func `a starved player ends the run with status 4 and the cause`(mode: String, cause: String) throws {
    let scratch = try VoiceFixture.scratch(), swiftlet = Command(folder: scratch.path)
    try scratch.write(Self.library, to: "slow.c")
    try scratch.write(
      """
      swiftlet: 1
      nodes: { song: { player: slow.wav }, desk: { playback: mono, connect: none } }
      wires: [ song -> desk ]
      """, to: "slow.yaml")
    let outcome = try swiftlet.shell(
      """
      cc -shared -fPIC -O1 -o slow.so slow.c -ldl && sox -n -r 48000 -c 1 -b 16 slow.wav synth 60 pinknoise vol 0.1 || exit 99
      SLOW_FILE=\(mode) LD_PRELOAD=$PWD/slow.so swiftlet run slow.yaml --dummy --for 8
      """, limit: 120)
    #expect(outcome.status == 4, "\(outcome)")
    let line = outcome.messages.split(separator: "\n").first { $0.contains("players had ") }
    #expect(line?.hasSuffix(cause) == true, "\(outcome.messages)")
    #expect(line?.contains("of silence: ") == true, "\(outcome.messages)")
  }
}
