// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How sound is laid out: sample rate, channels, sample type, and the order of samples in memory.
///
/// A value that is always valid; for any thread. The engine and ``AudioFile`` use the format that
/// ``init(sampleRate:channelCount:sampleType:isInterleaved:layout:)`` makes by default: 32-bit floats, one channel after
/// the other.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
  /// How one sample is stored, with the lowest byte first. Full scale is from −1 to 1 as a float.
  public enum SampleType: Sendable, CaseIterable {
    /// A 32-bit float.
    case float32
    /// A 64-bit float.
    case float64
    /// A 16-bit integer.
    case int16
    /// A 24-bit integer, in 3 bytes.
    case int24
    /// A 32-bit integer.
    case int32
  }

  /// Which speaker each channel belongs to, in the order of WAV files.
  public enum Layout: Sendable, CaseIterable {
    /// One channel, in the centre.
    case mono
    /// Left, right.
    case stereo
    /// Left, right, back left, back right.
    case quad
    /// Left, right, centre, low frequencies, surround left, surround right.
    case surround51
    /// Left, right, centre, low frequencies, back left, back right, side left, side right.
    case surround71
    /// Any number of channels without speakers.
    case discrete

    /// How many channels the layout has; nil for any number.
    var channelCount: Int? {
      switch self {
      case .mono: 1
      case .stereo: 2
      case .quad: 4
      case .surround51: 6
      case .surround71: 8
      case .discrete: nil
      }
    }
  }

  /// The sample rate in hertz, from 1,000 to 1,536,000.
  public let sampleRate: Double
  /// How many channels each frame has, from 1 to 128; 0 only in the format of a buffer without channels.
  public let channelCount: Int
  /// How each sample is stored.
  public let sampleType: SampleType
  /// Whether the samples of one frame lie side by side; otherwise all samples of a channel do. False for one channel,
  /// where both are the same.
  public let isInterleaved: Bool
  /// Which speaker each channel belongs to.
  public let layout: Layout

  /// Makes a format.
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz, from 1,000 to 1,536,000.
  ///   - channelCount: from 1 to 128.
  ///   - sampleType: how each sample is stored; a 32-bit float by default.
  ///   - isInterleaved: whether the samples of one frame lie side by side; false by default.
  ///   - layout: which speaker each channel belongs to; by default `mono` for one channel, `stereo` for two and
  ///     `discrete` for more.
  /// - Throws: ``FormatError/sampleRate(_:)``, ``FormatError/channelCount(_:)``,
  ///   ``FormatError/layout(_:channelCount:)``.
  public init(
    sampleRate: Double, channelCount: Int, sampleType: SampleType = .float32, isInterleaved: Bool = false,
    layout: Layout? = nil
  ) throws(FormatError) {
    guard AudioFormat.rates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
    guard 1...AudioFileReader.channelLimit ~= channelCount else { throw .channelCount(channelCount) }
    if let layout, let count = layout.channelCount, count != channelCount {
      throw .layout(layout, channelCount: channelCount)
    }
    self.init(unchecked: sampleRate, channelCount, sampleType, isInterleaved: isInterleaved, layout)
  }

  /// As the public one, for values that are known to be valid, and for buffers without channels.
  init(
    unchecked sampleRate: Double, _ channelCount: Int, _ sampleType: SampleType = .float32,
    isInterleaved: Bool = false, _ layout: Layout? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.sampleType = sampleType
    self.isInterleaved = isInterleaved && channelCount > 1
    self.layout = layout ?? (channelCount == 1 ? .mono : channelCount == 2 ? .stereo : .discrete)
  }

  /// The rates that a format may have, in hertz.
  static let rates = Double(AudioFileReader.rates.lowerBound)...Double(AudioFileReader.rates.upperBound)

  /// How many bytes a frame has.
  var bytesPerFrame: Int { channelCount * sampleType.byteCount }

  /// Whether buffers of this format store 32-bit floats, one array a channel.
  var isStandard: Bool { sampleType == .float32 && !isInterleaved }

  /// Whether both formats store the same samples in the same bytes; the layout may differ.
  func storesSamples(as other: AudioFormat) -> Bool {
    (sampleRate, channelCount, sampleType, isInterleaved)
      == (other.sampleRate, other.channelCount, other.sampleType, other.isInterleaved)
  }

  public var description: String {
    let order = isInterleaved ? ", interleaved" : "", channels = channelCount == 1 ? "channel" : "channels"
    return "\(sampleRate) Hz, \(channelCount) \(channels) (\(layout)), \(sampleType)\(order)"
  }
}
