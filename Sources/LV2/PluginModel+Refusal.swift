// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension PluginModel {
  /// The features this host has. The three lengths of blocks are promised to an
  /// instance only while they are true.
  static let featuresWeHave: Set<String> = [
    Name.uridMap, Name.uridUnmap, Name.options, Name.boundedBlockLength, Name.fixedBlockLength,
    Name.powerOf2BlockLength, Name.coarseBlockLength, Name.workerSchedule, Name.log, Name.loadDefaultState,
    Name.threadSafeRestore, Name.mapPath, Name.makePath, Name.freePath, Name.hardRealTime, Name.inPlaceBroken,
    Name.isLive,
  ]

  /// The options this host tells.
  static let optionsWeTell: Set<String> = [
    Name.minBlockLength, Name.maxBlockLength, Name.nominalBlockLength, Name.sequenceSize, Name.sampleRate,
  ]

  /// The highest number that a port may have.
  static let highestPort = 65_535

  /// The longest buffer that an event port may require, in bytes: 16 MiB.
  static let longestSequence = 1 << 24

  /// Why the plugin cannot be used here at all, as a sentence; nil where it can.
  var refusal: String? {
    if let flaw { return flaw }
    let features = requiredFeatures.filter { !Self.featuresWeHave.contains($0) }
    if !features.isEmpty {
      return "it requires the feature \(features.joined(separator: " and ")), which Swiftlet does not have"
    }
    let options = requiredOptions.filter { !Self.optionsWeTell.contains($0) }
    if !options.isEmpty {
      return "it requires the option \(options.joined(separator: " and ")), which Swiftlet does not have"
    }
    if let port = ports.first(where: { $0.minimumSize > Self.longestSequence }) {
      return
        "its port '\(port.symbol)' requires a buffer of \(port.minimumSize) bytes; the limit is "
        + "\(Self.longestSequence)"
    }
    for port in ports where !port.mayStayOpen {
      if case .foreign(let kind) = port.kind {
        return
          "its port '\(port.symbol)' is of a kind that Swiftlet does not know: \(kind.isEmpty ? "none" : kind)"
      }
    }
    return nil
  }
}
