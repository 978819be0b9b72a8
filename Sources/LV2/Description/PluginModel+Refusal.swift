// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension PluginModel {
  /// The features that this host supports. The three block-length features are offered to an instance only if they
  /// apply.
  static let supportedFeatures: Set<String> = [
    Name.uridMap, Name.uridUnmap, Name.options, Name.boundedBlockLength, Name.fixedBlockLength,
    Name.powerOf2BlockLength, Name.coarseBlockLength, Name.workerSchedule, Name.log, Name.loadDefaultState,
    Name.threadSafeRestore, Name.mapPath, Name.makePath, Name.freePath, Name.hardRealTime, Name.inPlaceBroken,
    Name.isLive, Name.uriMap, Name.resizePort,
  ]

  /// The options that this host provides.
  static let providedOptions: Set<String> = [
    Name.minBlockLength, Name.maxBlockLength, Name.nominalBlockLength, Name.sequenceSize, Name.sampleRate,
  ]

  /// The maximum port index.
  static let highestPort = 65_535

  /// The maximum buffer size that an event port may require, in bytes: 16 MiB.
  static let longestSequence = 1 << 24

  /// The reason why this host cannot use the plugin, as a sentence; nil if it can.
  var refusal: String? {
    if let flaw { return flaw }
    let features = requiredFeatures.filter { !Self.supportedFeatures.contains($0) }
    if !features.isEmpty {
      return "it requires the feature \(features.joined(separator: " and ")), which Swiftlet does not have"
    }
    let options = requiredOptions.filter { !Self.providedOptions.contains($0) }
    if !options.isEmpty {
      return "it requires the option \(options.joined(separator: " and ")), which Swiftlet does not have"
    }
    if let port = ports.first(where: { $0.minimumSize > Self.longestSequence }) {
      return
        "its port '\(port.symbol)' requires a buffer of \(port.minimumSize) bytes; the limit is "
        + "\(Self.longestSequence)"
    }
    for port in ports where !port.mayStayOpen {
      if case .unsupported(let kind) = port.kind {
        return
          "its port '\(port.symbol)' is of a kind that Swiftlet does not support: \(kind.isEmpty ? "none" : kind)"
      }
    }
    return nil
  }
}
