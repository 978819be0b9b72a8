// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

extension HostilePlugin {
  /// Returns a take without its gap, if it has one: a multiple of 256 frames of silence.
  static func withoutGap(_ kept: [Float], _ song: [Float]) -> [Float] {
    guard let other = zip(kept, song).enumerated().first(where: { abs($1.0 - $1.1) > 1e-6 })?.offset else {
      return kept
    }
    let start = kept[..<other].lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    let end = kept[other...].firstIndex { $0 != 0 } ?? kept.count
    for length in stride(from: 256, through: end - start, by: 256) {
      for frame in start...(end - length) {
        let rest = kept[(frame + length)...]
        if zip(rest, song[frame...]).allSatisfy({ abs($0 - $1) <= 1e-6 }) {
          return Array(kept[..<frame] + rest)
        }
      }
    }
    return kept
  }

  /// Runs the manifest until a take has one second of sound; then arms the plugin and changes JACK's period, so that
  /// a new instance is made with the state, and the old one ends.
  static func runToNewPeriod(_ swiftlet: Command, _ options: String = "--for 20") throws -> Command.Outcome {
    try swiftlet.shell(
      """
      export HOSTILE=armed
      swiftlet run hostile.yaml --dummy --takes takes \(options) & show=$!
      for n in $(seq 200); do [ $(stat -c %s takes/plain.wav || echo 0) -gt 190000 ] && break; sleep 0.05; done
      for child in $(cat /proc/$show/task/*/children); do
        server=$(tr '\\0' '\\n' < /proc/$child/cmdline | sed -n '/^-n$/{n;p;}')
        [ -n "$server" ] && break
      done
      touch armed
      JACK_DEFAULT_SERVER=$server jack_bufsize 512 > /dev/null 2>&1
      wait $show
      """, limit: 60)
  }
}
