// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The stored pictures of a movie within some seconds around a time. They determine where the movie can be cut.
struct MoviePackets {
  /// A stored picture.
  struct Packet {
    /// The time at which it is shown, in seconds of the movie's clock.
    var time: Double
    /// The time at which it must be decoded; nil if unknown.
    var decoding: Double?
    /// Whether it can be decoded without other pictures.
    var isKey: Bool
    /// Whether it is decoded only because others depend on it: the movie was cut without re-encoding, and its edit list
    /// hides the picture.
    var isHidden = false
  }

  /// The pictures in stored order.
  private let list: [Packet]

  /// The range around the time, in seconds to each side.
  private static let reach = 15.0

  /// Reads the pictures around a time of the movie's clock.
  ///
  /// - Throws: ``FileError``: `ffprobe` cannot be started.
  init(_ path: String, _ format: String, _ base: FrameRate, around time: Double) throws(FileError) {
    // Starts at the very first picture if that is near: after a seek, ffprobe does not list pictures that an edit list
    // hides.
    let first = time - MoviePackets.reach
    let span = "\(first > 0 ? "\(first)" : "")%\(time + MoviePackets.reach)"
    let (text, _) = try FFmpeg.output(
      of: "ffprobe",
      [
        "-protocol_whitelist", "file", "-f", format, "-select_streams", "V:0", "-read_intervals", span,
        "-show_entries", "packet=pts,dts,flags", "-of", "csv=p=0", "-i", FFmpeg.name(path),
      ], for: path, most: 1 << 22)
    self.init(text, base)
  }

  /// Parses the output of `ffprobe`: a line for each picture, with its times in ticks of `base`.
  init(_ text: some Collection<UInt8>, _ base: FrameRate) {
    list = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      // A line such as `51200,50176,K_`. Times may be N/A.
      let fields = line.split(separator: ",")
      guard fields.count >= 3, let time = Int(fields[0]) else { return nil }
      return Packet(
        time: Double(time) * base.perSecond, decoding: Int(fields[1]).map { Double($0) * base.perSecond },
        isKey: fields[2].hasPrefix("K"), isHidden: fields[2].contains("D"))
    }
  }

  init(_ list: [Packet]) { self.list = list }

  /// Whether an edit list hides some pictures.
  var hidesSome: Bool { list.contains(where: \.isHidden) }

  /// The picture that is shown last.
  var last: Packet? { list.max { $0.time < $1.time } }

  /// Returns the keyframe at a time, within a tolerance; nil if there is none, or if pictures shown before it depend on
  /// it.
  func keyframe(at time: Double, within tolerance: Double) -> Packet? {
    guard let index = list.firstIndex(where: { $0.isKey && abs($0.time - time) <= tolerance }) else {
      return nil
    }
    let key = list[index]
    return list[index...].contains { $0.time < key.time } ? nil : key
  }

  /// Returns the first picture that is left out if the movie is cut at a time; nil if pictures before the cut are
  /// stored after it.
  func cut(before time: Double) -> Packet? {
    guard let index = list.firstIndex(where: { $0.time >= time }),
      !list[index...].contains(where: { $0.time < time })
    else { return nil }
    return list[index]
  }

  /// Whether there is a keyframe at a time, even if pictures shown before it depend on it.
  func hasKeyframe(at time: Double, within tolerance: Double) -> Bool {
    list.contains { $0.isKey && abs($0.time - time) <= tolerance }
  }

  /// Returns the nearest keyframes before and after a time at which the movie can be cut, in seconds of its clock.
  func neighbours(of time: Double) -> [Double] {
    var earliest = Double.infinity, keys: [Double] = []
    for packet in list.reversed() {
      if packet.isKey && packet.time <= earliest { keys.append(packet.time) }
      earliest = min(earliest, packet.time)
    }
    return [keys.filter { $0 <= time }.max(), keys.filter { $0 > time }.min()].compactMap(\.self)
  }
}
