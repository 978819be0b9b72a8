// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An error in a sound format or a conversion.
@nonexhaustive public enum FormatError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sample rate, in hertz, that is outside 1,000 to 1,536,000.
  case sampleRate(Double)
  /// A channel count that is outside 1 to 128.
  case channelCount(Int)
  /// A layout with a different channel count than the format.
  case layout(AudioFormat.Layout, channelCount: Int)
  /// Bytes that are not a whole number of frames.
  case partialFrame(byteCount: Int, bytesPerFrame: Int)
  /// A buffer with a different format than the converter's input format.
  case buffer(AudioFormat, expected: AudioFormat)
  /// A channel map whose number of entries differs from the output format's channel count.
  case mapLength(Int, outputChannels: Int)
  /// A channel map with an input channel, counted from 0, that the input format does not have.
  case mapChannel(Int, inputChannels: Int)
  /// Two sample rates that differ by more than a factor of 256.
  case ratio(from: Double, to: Double)
  /// More bytes than the system can provide.
  case memory(byteCount: Int)
  /// The sample rate converter failed.
  case conversion

  public var description: String {
    switch self {
    case .sampleRate(let rate):
      "the format cannot have a sample rate of \(rate) Hz: rates are from 1000 to 1536000 Hz; use one of those"
    case .channelCount(let count):
      "the format cannot have \(count) channels: formats have 1 to 128; use one of those counts"
    case .layout(let layout, let count):
      "the format cannot have the layout '\(layout)': the layout has \(layout.channelCount ?? 0) channels and the format"
        + " \(count); use the layout 'discrete' or another channel count"
    case .partialFrame(let bytes, let size):
      "the buffer cannot be made of \(bytes) bytes: its frames have \(size) bytes each; give it whole frames"
    case .buffer(let format, let expected):
      "the converter cannot take the buffer: its format is \(format) instead of \(expected); make a converter for"
        + " the buffer's format"
    case .mapLength(let length, let count):
      "the channel map cannot have \(length) entries: the output has \(count) channels; give the map one entry for"
        + " each of them"
    case .mapChannel(let channel, let count):
      "the channel map cannot take input channel \(channel): the input has \(count) channels, counted from 0; use one"
        + " of those, or nil for silence"
    case .ratio(let from, let to):
      "the converter cannot go from \(from) Hz to \(to) Hz: rates differ by a factor of 256 at most; convert in two"
        + " steps"
    case .memory(let count):
      "the buffer cannot be made: \(count) bytes of memory are not available; use shorter buffers"
    case .conversion: "the sample rate converter failed; make a new converter"
    }
  }
}
