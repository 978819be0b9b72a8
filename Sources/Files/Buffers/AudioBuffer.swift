// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Frames of sound with their format.
///
/// The engine, taps and ``AudioFile`` use 32-bit floats, full scale from −1 to 1, with one array per channel.
/// ``AudioConverter`` makes buffers of any format; ``bytes`` returns their samples as the format stores them.
///
/// A value type, for control threads. The audio thread works on `Block` views instead.
public struct AudioBuffer: Equatable, Sendable {
  /// Sample rate, channels and sample type. The rate is 48,000 Hz if the buffer was made without one.
  public let format: AudioFormat
  /// Whether the buffer was made with a rate. If not, players and `render` use the engine's rate.
  package let hasRate: Bool
  /// One array per channel if the format has non-interleaved 32-bit floats; empty for any other format.
  private var planes: [[Float]]
  /// The bytes of each channel, or of all channels if interleaved, for any other format.
  private var packed: [[UInt8]] = []

  /// The sample rate of a buffer that is made without a rate.
  private static let usualRate = 48_000.0
  /// The number of frames that are converted to another sample type at once.
  static let slice = 4096

  /// Creates a silent buffer.
  ///
  /// - Parameters:
  ///   - format: the buffer's format.
  ///   - frameCount: the number of frames; negative values count as 0.
  /// - Throws: ``FormatError/memory(byteCount:)``.
  public init(format: AudioFormat, frameCount: Int) throws(FormatError) {
    self.init(empty: format)
    let count = max(frameCount, 0),
      (size, isTooLarge) = count.multipliedReportingOverflow(by: format.bytesPerFrame)
    guard !isTooLarge, MemoryBudget.grants(size) else { throw .memory(byteCount: isTooLarge ? .max : size) }
    for channel in planes.indices { planes[channel] = Array(repeating: 0, count: count) }
    for plane in packed.indices { packed[plane] = Array(repeating: 0, count: size / packed.count) }
  }

  /// Creates a buffer of `channels`. Shorter channels are padded with silence.
  ///
  /// The buffer has no sample rate of its own: players and `AudioEngine.render` play it at the engine's rate, and files
  /// and converters assume 48,000 Hz.
  public init(_ channels: [[Float]]) { self.init(checked: channels, nil) }

  /// Creates a buffer of `channels`. Shorter channels are padded with silence.
  ///
  /// - Parameters:
  ///   - channels: the samples, 1 to 128 channels.
  ///   - sampleRate: the rate in hertz, from 1,000 to 1,536,000.
  /// - Throws: ``FormatError/sampleRate(_:)``, ``FormatError/channelCount(_:)``.
  public init(_ channels: [[Float]], sampleRate: Double) throws(FormatError) {
    _ = try AudioFormat(sampleRate: sampleRate, channelCount: channels.count)
    self.init(checked: channels, sampleRate)
  }

  /// Creates a buffer of samples as a format stores them: little-endian, frame by frame if the format is interleaved,
  /// otherwise channel by channel.
  ///
  /// - Throws: ``FormatError/partialFrame(byteCount:bytesPerFrame:)``.
  public init(bytes: some Collection<UInt8>, format: AudioFormat) throws(FormatError) {
    let size = format.bytesPerFrame, count = bytes.count
    guard size > 0, count % size == 0 else { throw .partialFrame(byteCount: count, bytesPerFrame: size) }
    self.init(empty: format)
    let all = Array(bytes)
    guard format.isStandard else {
      let length = count / packed.count
      packed = packed.indices.map { Array(all[$0 * length..<($0 + 1) * length]) }
      return
    }
    // Copies bit patterns, since a conversion would change NaNs.
    let frames = count / size
    planes = all.withUnsafeBytes { all in
      planes.indices.map { channel in
        (channel * frames..<(channel + 1) * frames).map { index in
          Float(
            bitPattern: UInt32(littleEndian: all.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
        }
      }
    }
  }

  /// Creates a buffer of channels at a rate that is known to be valid, or without a rate of its own if nil.
  package init(checked channels: [[Float]], _ sampleRate: Double?) {
    format = AudioFormat(unchecked: sampleRate ?? AudioBuffer.usualRate, channels.count)
    hasRate = sampleRate != nil
    let longest = channels.map(\.count).max() ?? 0
    planes = channels.map { $0.count == longest ? $0 : $0 + Array(repeating: 0, count: longest - $0.count) }
  }

  /// Creates a buffer without frames.
  init(empty format: AudioFormat) {
    (self.format, hasRate) = (format, true)
    planes = format.isStandard ? Array(repeating: [], count: format.channelCount) : []
    if !format.isStandard {
      packed = Array(repeating: [], count: format.isInterleaved ? 1 : format.channelCount)
    }
  }

  /// The number of channels.
  public var channelCount: Int { format.channelCount }

  /// The number of frames in each channel.
  public var frameCount: Int {
    guard let bytes = packed.first else { return planes.first?.count ?? 0 }
    return bytes.count / (format.bytesPerFrame / packed.count)
  }

  /// The samples of each channel as 32-bit floats. 32-bit integers and 64-bit floats are rounded. All channels have the
  /// same length.
  public var channels: [[Float]] {
    guard !packed.isEmpty else { return planes }
    return (0..<channelCount).map { self[$0] }
  }

  /// The samples of one channel, from 0; empty if the channel does not exist.
  public subscript(channel: Int) -> [Float] {
    guard 0..<channelCount ~= channel else { return [] }
    guard !packed.isEmpty else { return planes[channel] }
    guard format.isInterleaved else {
      return format.sampleType.decode(packed[channel], from: 0, count: frameCount).map { Float($0) }
    }
    let samples = format.sampleType.decode(packed[0], from: 0, count: frameCount * channelCount)
    return stride(from: channel, to: samples.count, by: channelCount).map { Float(samples[$0]) }
  }

  /// The samples as the format stores them: little-endian, frame by frame if the format is interleaved, otherwise
  /// channel by channel.
  public var bytes: [UInt8] {
    guard packed.isEmpty else { return packed.count == 1 ? packed[0] : Array(packed.joined()) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frameCount * format.bytesPerFrame)
    for plane in planes {
      for sample in plane {
        withUnsafeBytes(of: sample.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }

  /// Appends the frames of `other`, converted to this buffer's format. Channels that `other` lacks are silent there.
  /// The sample rate of `other` is ignored.
  public mutating func append(_ other: AudioBuffer) {
    if format.isStandard, other.format.isStandard {
      let count = other.frameCount
      for channel in planes.indices {
        let more = channel < other.planes.count ? other.planes[channel] : Array(repeating: 0, count: count)
        planes[channel] += more
      }
      return
    }
    if (format.sampleType, format.isInterleaved) == (other.format.sampleType, other.format.isInterleaved),
      channelCount == other.channelCount
    {
      for plane in packed.indices { packed[plane] += other.packed[plane] }
      return
    }
    let mix = ChannelMix(inOrder: other.channelCount, channelCount)
    var noDither: Dither?
    for start in stride(from: 0, to: other.frameCount, by: AudioBuffer.slice) {
      let end = min(start + AudioBuffer.slice, other.frameCount)
      append(interleaved: mix.applied(to: other.interleaved(start..<end)), dithering: &noDither)
    }
  }

  /// The highest absolute sample.
  public var peak: Float { channels.lazy.flatMap(\.self).reduce(0) { max($0, abs($1)) } }

  /// Returns some of the frames, interleaved, as fractions of full scale.
  func interleaved(_ frames: Range<Int>) -> [Double] {
    let width = channelCount
    if format.isInterleaved {
      return format.sampleType.decode(packed[0], from: frames.lowerBound * width, count: frames.count * width)
    }
    var samples = [Double](repeating: 0, count: frames.count * width)
    for channel in 0..<width {
      if packed.isEmpty {
        let plane = planes[channel]
        for (index, frame) in frames.enumerated() { samples[index * width + channel] = Double(plane[frame]) }
      } else {
        let plane = format.sampleType.decode(packed[channel], from: frames.lowerBound, count: frames.count)
        for index in plane.indices { samples[index * width + channel] = plane[index] }
      }
    }
    return samples
  }

  /// Appends interleaved frames, given as fractions of full scale.
  mutating func append(interleaved samples: [Double], dithering dither: inout Dither?) {
    let width = channelCount
    guard width > 0 else { return }
    guard !packed.isEmpty else {
      for channel in 0..<width {
        planes[channel].append(
          contentsOf: stride(from: channel, to: samples.count, by: width).lazy.map { Float(samples[$0]) })
      }
      return
    }
    var steps = samples
    format.sampleType.quantize(&steps, with: &dither)
    for plane in packed.indices {
      for index in stride(from: plane, to: steps.count, by: packed.count) {
        format.sampleType.encode(steps[index], to: &packed[plane])
      }
    }
  }
}
