// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Movies that `swiftlet render` makes: its messages, and the files that remain.
@Suite struct MovieRenderTests {
  private let scratch: Scratch
  private let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(folder: scratch.path)
    let made = try swiftlet.shell(
      """
      ffmpeg -v error -f lavfi -i testsrc=s=160x90:r=25:d=6 -f lavfi -i sine=440:d=6:r=48000 -c:v libx264 \
      -g 50 -keyint_min 50 -sc_threshold 0 -pix_fmt yuv420p -c:a aac movie.mp4
      """)
    try #require(made.status == 0, "\(made.messages)")
    try manifest("film.yaml", "{ file: movie.mp4, from: 2 s, to: 4 s }, { file: movie.mp4 }")
    try manifest("cut.yaml", "{ file: movie.mp4, from: 1 s, to: 4 s }")
    try manifest("plain.yaml", "")
  }

  private func manifest(_ name: String, _ clips: String) throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes: { desk: playback }
      timeline:
        video: [ \(clips) ]
        tracks:
          own: [ { file: movie.mp4 } ]
      wires: [ own -> desk ]

      """, to: name)
  }

  @Test func `the result states whether the picture was copied, and if not, why`() throws {
    let copied = try swiftlet.run("render", "film.yaml", "-o", "film.mp4", "-o", "film.wav")
    #expect(copied.status == 0 && copied.output.contains("\nfilm.mp4: picture copied\n"), "\(copied.output)")
    #expect(copied.output.hasPrefix("film.mp4  0:08.0  peak -"), "\(copied.output)")
    let encoded = try swiftlet.run("render", "cut.yaml", "-o", "cut.mkv", "--format", "16-bit")
    #expect(encoded.output.contains("\ncut.mkv: picture re-encoded: "), "\(encoded.output)")
    #expect(encoded.output.contains("it is black from 3s to 6s"))
    #expect(encoded.output.contains("; clip 1 begins between keyframes at 1s, the nearest are 0s and 2s"))
    let codecs = "ffprobe -v error -show_entries stream=codec_name,sample_fmt -of csv=p=0 cut.mkv"
    #expect(try swiftlet.shell(codecs).output == "h264\nflac,s16\n")
    #expect(try swiftlet.shell("swiftlet render cut.yaml -o cut --format mov && ffprobe cut").status == 0)
  }

  @Test func `an encoding that the movie container cannot hold is refused`() throws {
    let refused = try swiftlet.run("render", "film.yaml", "-o", "film.mp4", "--format", "mp3")
    #expect(refused.status == 1)
    #expect(
      refused.messages.contains(
        "'film.mp4' cannot hold mp3 beside its picture: the sound of a .mp4 movie is aac, alac, alac-16; leave the "
          + "format out, or write the sound to a file of its own: .mp3"), "\(refused.messages)")
  }

  @Test func `without a video track .mov and .mkv are refused, and .mp4 has sound only`() throws {
    for name in ["film.mov", "film.mkv"] {
      let refused = try swiftlet.run("render", "plain.yaml", "-o", name)
      #expect(refused.status == 1)
      #expect(refused.messages.contains("'\(name)' has no picture: give the timeline a 'video'"))
    }
    #expect(try swiftlet.run("render", "plain.yaml", "-o", "film.mp4").status == 0)
    #expect(
      try swiftlet.shell("ffprobe -v error -show_entries stream=codec_name -of csv=p=0 film.mp4").output
        == "aac\n")
  }

  /// Makes a folder with the given scripts as `ffmpeg` and `ffprobe`, and returns it as `PATH`.
  private func programs(_ name: String, ffmpeg: String?, ffprobe: String?) throws -> [String: String] {
    let folder = "\(scratch.path)/\(name)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (program, script) in [("ffmpeg", ffmpeg), ("ffprobe", ffprobe)] {
      guard let script else { continue }
      try "#!/bin/sh\n\(script)\n".write(toFile: "\(folder)/\(program)", atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/\(program)")
    }
    return ["PATH": folder]
  }

  @Test func `without ffmpeg the error names the package`() throws {
    var bare = swiftlet
    bare.environment = try programs("none", ffmpeg: nil, ffprobe: nil)
    let outcome = try bare.run("check", "film.yaml")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("install it: apt install ffmpeg"), "\(outcome.messages)")
    // ffmpeg may be missing although ffprobe is there.
    bare.environment = try programs("half", ffmpeg: nil, ffprobe: "exec /usr/bin/ffprobe \"$@\"")
    let half = try bare.run("render", "film.yaml", "-o", "film.mp4")
    #expect(half.status == 1 && half.messages.contains("apt install ffmpeg"), "\(half.messages)")
    #expect(!scratch.names.contains { $0.contains("film.mp4") })
  }

  @Test func `without x264 the picture is encoded as MPEG-4`() throws {
    var old = swiftlet
    old.environment = try programs(
      "old",
      ffmpeg: """
        case "$*" in *-encoders*) /usr/bin/ffmpeg "$@" | /usr/bin/grep -v libx264;; *) exec /usr/bin/ffmpeg "$@";; esac
        """, ffprobe: "exec /usr/bin/ffprobe \"$@\"")
    #expect(try old.run("render", "cut.yaml", "-o", "old.mp4").status == 0)
    let probe =
      "ffprobe -v error -count_frames -select_streams v -show_entries stream=codec_name,nb_read_frames"
    #expect(try swiftlet.shell("\(probe) -of csv=p=0 old.mp4").output == "mpeg4,150\n")
  }

  @Test func `an interrupt ends ffmpeg, leaves no file, and ends with status 130`() throws {
    let interrupted = try swiftlet.shell(
      """
      swiftlet render film.yaml --for 100000 -o film.mp4 2> words & first=$!
      for n in $(seq 600); do grep -q ' % ' words && break; sleep 0.1; done
      ls -A > begun; kill -INT $first; wait $first; status=$?
      pgrep -f "$PWD/[.]film[.]mp4[.]swiftlet-" && exit 1
      exit $status
      """)
    #expect(interrupted.status == 130)
    #expect(scratch.text("begun").contains(".film.mp4.swiftlet-"), "the control: it had begun")
    #expect(!scratch.names.contains { $0.contains("film.mp4") }, "\(scratch.names)")
  }

  @Test func `a file size limit is reported, and leaves no file`() throws {
    let outcome = try swiftlet.shell(
      "trap '' XFSZ; ulimit -f 100; swiftlet render film.yaml -o film.mp4")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("'film.mp4' may not grow any more"), "\(outcome.messages)")
    #expect(!scratch.names.contains { $0.contains("film.mp4") })
  }

  @Test func `the timeline's picture shows the video clips`() throws {
    #expect(try swiftlet.run("graph", "film.yaml", "--automation", "-o", "film.svg").status == 0)
    let picture = scratch.text("film.svg")
    #expect(picture.contains(">video</text>") && picture.contains(">2 clips</text>"))
    #expect(
      try swiftlet.shell(
        "xmllint --noout film.svg || python3 -c \"import xml.dom.minidom as m; m.parse('film.svg')\""
      ).status == 0)
  }
}
