// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The reason why an effect cannot be created.
@nonexhaustive public enum EffectError: Error, Equatable, Sendable {
  /// The effect does not work at this sample rate.
  case sampleRate(Double)
  /// The effect does not work with this number of channels.
  case channels(Int)
  /// The number of bands is outside the range in the description.
  case bands(Int)
  /// The file with this index in the effect's description cannot be used.
  case file(Int, FileFault)
  /// The algorithm with this index in the effect's description is not built in.
  case engine(Int)
  /// The system provided no memory or no thread.
  case resources

  /// The reason why a file of an effect cannot be used.
  @nonexhaustive public enum FileFault: Error, Equatable, Sendable {
    /// The file does not exist.
    case missing
    /// The file has no frames.
    case empty
    /// The file is longer than the effect can use: the limit in seconds.
    case tooLong(seconds: Int)
    /// The file has a number of channels that the effect cannot use.
    case channels(Int)
    /// The file has a format that the effect does not read.
    case unreadable
  }
}

#if !hasFeature(Embedded)
  extension EffectError: CustomStringConvertible {
    public var description: String {
      switch self {
      case .sampleRate(let rate):
        "effects do not support a sample rate of \(rate) Hz; use one from 1000 to 1000000 Hz"
      case .channels(let count):
        "this effect does not support \(count) channels; use fewer, and as many output as input channels"
      case .bands(let count):
        "this effect cannot have \(count) bands; its description states the range"
      case .file(_, let fault): "a file of this effect \(fault.predicate)"
      case .engine:
        "this effect does not have the chosen stretch algorithm; choose another, or build it in"
      case .resources: "the system has no memory or no thread left for this effect; end other programs"
      }
    }
  }

  extension EffectError.FileFault: CustomStringConvertible {
    public var description: String { "the file \(predicate)" }

    /// The predicate of a sentence whose subject is the file.
    package var predicate: String {
      switch self {
      case .missing: "is required and missing; add it under 'files'"
      case .empty: "holds no sound"
      case .tooLong(let seconds): "is longer than \(seconds) seconds; shorten it"
      case .channels(let count): "has \(count) channels, which this effect does not support"
      case .unreadable: "is not of the kind that this effect reads, or is damaged"
      }
    }
  }
#endif
