// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The layout of sound: sample rate, channels, sample type, and the order of samples in memory.
///
/// A value type that is always valid, for any thread. The engine and ``AudioFile`` use the default format of
/// ``init(sampleRate:channelCount:sampleType:isInterleaved:layout:)``: 32-bit floats, not interleaved.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
  /// The storage of one sample, in little-endian order. Full scale is from −1 to 1 for floats.
  @nonexhaustive public enum SampleType: Sendable, CaseIterable {
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

  /// The speaker of each channel, in the order of WAV files.
  @nonexhaustive public enum Layout: Sendable, CaseIterable {
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
    /// Any number of channels without assigned speakers.
    case discrete

    /// The number of channels in the layout; nil for any number.
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
  /// The number of channels in each frame, from 1 to 128; 0 only in the format of a buffer without channels.
  public let channelCount: Int
  /// The storage of each sample.
  public let sampleType: SampleType
  /// Whether the samples are stored frame by frame; otherwise channel by channel. False for one channel, where both are
  /// the same.
  public let isInterleaved: Bool
  /// The speaker of each channel.
  public let layout: Layout

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - sampleRate: the rate in hertz, from 1,000 to 1,536,000.
  ///   - channelCount: the number of channels, from 1 to 128.
  ///   - sampleType: the storage of each sample; the default is a 32-bit float.
  ///   - isInterleaved: whether the samples are stored frame by frame; the default is false.
  ///   - layout: the speaker of each channel; the default is `mono` for one channel, `stereo` for two and `discrete`
  ///     for more.
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

  /// Creates a format from values that are known to be valid, or for a buffer without channels.
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

  /// The valid range of rates, in hertz.
  static let rates = Double(AudioFileReader.rates.lowerBound)...Double(AudioFileReader.rates.upperBound)

  /// The size of a frame in bytes.
  var bytesPerFrame: Int { channelCount * sampleType.byteCount }

  /// Whether buffers of this format store 32-bit floats with one array per channel.
  var isStandard: Bool { sampleType == .float32 && !isInterleaved }

  /// Whether both formats store the same samples as the same bytes. The layout may differ.
  func storesSamples(as other: AudioFormat) -> Bool {
    (sampleRate, channelCount, sampleType, isInterleaved)
      == (other.sampleRate, other.channelCount, other.sampleType, other.isInterleaved)
  }

  public var description: String {
    let order = isInterleaved ? ", interleaved" : "", channels = channelCount == 1 ? "channel" : "channels"
    return "\(sampleRate) Hz, \(channelCount) \(channels) (\(layout)), \(sampleType)\(order)"
  }
}
