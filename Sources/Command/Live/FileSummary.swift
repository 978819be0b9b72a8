// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The summary line of a recorded or rendered file.
struct FileSummary: Equatable {
  /// The file's path.
  var path: String
  /// The file's length in frames, and its sample rate in Hz.
  var frameCount: Int, sampleRate: Int
  /// The highest absolute sample value, in dBFS.
  var peak: Double
  /// The integrated loudness in LUFS and the true peak in dBTP; nil if not measured.
  var integrated: Double?, truePeak: Double?
  /// The number of lost frames.
  var lostFrames = 0
  /// The number of lost frames for which the disk was too slow.
  var overrunFrames = 0
  /// Whether the graph exceeded the period, so that JACK skipped frames.
  var isOverloaded = false
  /// Whether the file exists. A take that ended before any sound came is not kept.
  var isKept = true
}

extension TakeReport {
  /// Whether the take has a summary line: a file, or the remark that none was kept.
  var hasSummary: Bool {
    !isKept || isPresent && (frameCount > 0 || failure == nil)
  }
}

extension FileSummary {
  /// Creates the summary of a take.
  init(_ report: TakeReport, isOverloaded: Bool = false) {
    self.init(
      path: report.path, frameCount: report.frameCount, sampleRate: Int(report.sampleRate),
      peak: Double(report.peak),
      lostFrames: report.lostFrames, overrunFrames: report.overrunFrames, isOverloaded: isOverloaded,
      isKept: report.isKept)
  }

  /// Creates the summary of a rendered file.
  init(_ file: ExportFile.Report) {
    self.init(
      path: file.path, frameCount: file.frameCount, sampleRate: Int(file.sampleRate.rounded()),
      peak: Double(file.peak),
      integrated: file.loudness, truePeak: file.truePeak)
  }

  /// Returns a line for each file with path, length, peak and loudness, and lost frames.
  static func text(_ lines: [FileSummary]) -> [StyledText] {
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
