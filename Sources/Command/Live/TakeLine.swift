// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// What there is to tell of a file that was made.
struct TakeLine: Equatable {
  /// Where it is.
  var path: String
  /// How many frames it has, and how many go by in a second.
  var frameCount: Int, sampleRate: Int
  /// Its loudest sample, in dBFS.
  var peak: Double
  /// Its loudness in LUFS and its true peak in dBTP, where they were measured.
  var integrated: Double?, truePeak: Double?
  /// How many frames were lost.
  var lostFrames = 0
  /// How many of these the disk was too slow for.
  var overrunFrames = 0
  /// Whether the graph needed more time than there was, so that JACK could not wait.
  var isOverloaded = false
  /// Whether there is a file: of a take that was ended before any sound came, none is kept.
  var isKept = true
}

extension TakeReport {
  /// Whether there is a result to print: a file, or the word that none was kept.
  var hasLine: Bool {
    !isKept || isPresent && (frameCount > 0 || failure == nil)
  }
}

extension TakeLine {
  /// What there is to tell of a take.
  init(_ report: TakeReport, isOverloaded: Bool = false) {
    self.init(
      path: report.path, frameCount: report.frameCount, sampleRate: Int(report.sampleRate),
      peak: Double(report.peak),
      lostFrames: report.lostFrames, overrunFrames: report.overrunFrames, isOverloaded: isOverloaded,
      isKept: report.isKept)
  }

  /// What there is to tell of a file that was rendered.
  init(_ file: ExportFile.Report) {
    self.init(
      path: file.path, frameCount: file.frameCount, sampleRate: Int(file.sampleRate.rounded()),
      peak: Double(file.peak),
      integrated: file.loudness, truePeak: file.truePeak)
  }

  /// A line for each file: where it is, how long it is, how loud it gets, what it lost.
  static func text(_ lines: [TakeLine]) -> [StyledText] {
    var table = Table()
    for line in lines {
      if line.isKept {
        table.add(line.path, line.length, line.loudness, line.losses)
      } else {
        table.add(line.path, "", "", "not kept: it ended before any sound came")
      }
    }
    return table.lines
  }

  private var rate: Double { Double(max(sampleRate, 1)) }

  private var length: String {
    let tenths = (Double(frameCount) / rate * 10).rounded() / 10
    let minutes = Int(tenths / 60), rest = Digits.fixed(tenths - Double(minutes * 60), 1)
    return "\(minutes):\(rest.count < 4 ? "0" : "")\(rest)"
  }

  private var loudness: String {
    guard peak > -150 else { return "silent" }
    let level = "peak \(Digits.fixed(peak, 1)) dBFS" + (peak >= 0 ? ", clips" : "")
    guard let integrated, let truePeak, integrated.isFinite else { return level }
    return level + "  true peak \(Digits.fixed(truePeak, 1)) dBTP  \(Digits.fixed(integrated, 1)) LUFS"
  }

  private var losses: String {
    guard lostFrames > 0 else { return "" }
    let milliseconds = (Double(lostFrames) / rate * 1000).rounded(.up)
    return "\(Digits.count(lostFrames, "frame")) lost (\(Digits.short(milliseconds)) ms of silence): \(cause)"
  }

  private var cause: String {
    let overload = isOverloaded ? ", and the graph was too slow at times" : ""
    return switch overrunFrames {
    case 0: "JACK skipped them\(overload)"
    case lostFrames...: "the disk was too slow"
    default: "the disk was too slow for \(overrunFrames) of them, JACK skipped the others\(overload)"
    }
  }
}
