// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Converts sound from one format to another: sample rate, channels, sample type and interleaving.
///
/// ```swift
/// let converter = try AudioConverter(from: buffer.format, to: AudioFormat(sampleRate: 16_000, channelCount: 1, sampleType: .int16))
/// var speech = try converter.convert(buffer)     // as many buffers as there are
/// speech.append(try converter.finish())          // the rest
/// ```
///
/// `n` frames become `n × outputRate / inputRate`, rounded to the nearest. The first output frame lies at the first input
/// frame: the delay of the sample rate converter is removed. The result does not depend on how the sound is cut into
/// buffers. Formats that store samples in the same way and channels that stay in place give the same bits.
///
/// One thread at a time uses a converter; not for the audio thread, since it allocates.
public final class AudioConverter {
  /// The format of the buffers that ``convert(_:)`` takes.
  package let inputFormat: AudioFormat
  /// The format of the buffers that ``convert(_:)`` and ``finish()`` return.
  package let outputFormat: AudioFormat

  /// Nil where all channels stay in place.
  private let mix: ChannelMix?
  /// Nil where the sample rate stays.
  private let resampler: Resampler?
  private var dither: Dither?
  private let dithers: Bool
  /// How many frames the stream has so far, at the input rate and at the output rate.
  private var taken = 0, made = 0

  /// Makes a converter.
  ///
  /// Without a channel map, surround sound of a known ``AudioFormat/Layout`` is mixed to mono or stereo by ITU-R BS.775-3.
  /// All else follows the rule of wires: one channel is copied to all, many become one as their mean, and otherwise
  /// channels pair up in order, those left over being dropped or silent.
  ///
  /// - Parameters:
  ///   - input: the format to convert from.
  ///   - output: the format to convert to. The rates differ by a factor of 256 at most.
  ///   - channelMap: for each output channel the input channel that it gets, from 0, or nil for silence; nil, the default,
  ///     for the rule above.
  ///   - dithers: whether noise is added before samples are rounded to 16 or 24 bits (triangular density, two steps wide),
  ///     so that the rounding error is noise; true by default. Samples that have so few bits already, and silence, stay as
  ///     they are.
  /// - Throws: ``FormatError/mapLength(_:outputChannels:)``, ``FormatError/mapChannel(_:inputChannels:)``,
  ///   ``FormatError/ratio(from:to:)``, ``FormatError/channelCount(_:)`` for the format of a buffer without channels.
  public init(
    from input: AudioFormat, to output: AudioFormat, channelMap: [Int?]? = nil, dithers: Bool = true
  ) throws(FormatError) {
    for format in [input, output] {
      guard 1...AudioFileReader.channelLimit ~= format.channelCount else {
        throw .channelCount(format.channelCount)
      }
    }
    let mix: ChannelMix
    if let channelMap {
      mix = try ChannelMix(channelMap, from: input, to: output)
    } else {
      mix = ChannelMix(from: input, to: output)
    }
    (inputFormat, outputFormat, self.dithers) = (input, output, dithers)
    self.mix = mix.isIdentity ? nil : mix
    if input.sampleRate == output.sampleRate {
      resampler = nil
    } else {
      resampler = Resampler(
        channelCount: min(input.channelCount, output.channelCount),
        ratio: output.sampleRate / input.sampleRate,
        quality: .best)
      guard resampler != nil else { throw .ratio(from: input.sampleRate, to: output.sampleRate) }
    }
    dither = newDither
  }

  /// Converts the next frames of a stream. With another sample rate some of them come out of the next call or of
  /// ``finish()``.
  ///
  /// - Throws: ``FormatError/buffer(_:expected:)`` for a buffer of another format, whatever its layout;
  ///   ``FormatError/memory(byteCount:)``; ``FormatError/conversion``.
  public func convert(_ buffer: AudioBuffer) throws(FormatError) -> AudioBuffer {
    guard buffer.format.storesSamples(as: inputFormat) else {
      throw .buffer(buffer.format, expected: inputFormat)
    }
    if isIdentity { return buffer }
    let frames = Double(buffer.frameCount) * outputFormat.sampleRate / inputFormat.sampleRate
    let size = Int(frames) * outputFormat.bytesPerFrame
    guard MemoryBudget.grants(size) else { throw .memory(byteCount: size) }
    var result = AudioBuffer(empty: outputFormat)
    for start in stride(from: 0, to: buffer.frameCount, by: AudioBuffer.slice) {
      let end = min(start + AudioBuffer.slice, buffer.frameCount)
      try convert(buffer.interleaved(start..<end), to: &result)
    }
    taken += buffer.frameCount
    return result
  }

  /// Returns the rest of the stream, as if silence followed. The next buffer begins another stream.
  ///
  /// - Throws: ``FormatError/conversion``.
  public func finish() throws(FormatError) -> AudioBuffer {
    var result = AudioBuffer(empty: outputFormat)
    defer {
      resampler?.reset()
      (taken, made, dither) = (0, 0, newDither)
    }
    guard resampler != nil else { return result }
    let end = Int((Double(taken) * outputFormat.sampleRate / inputFormat.sampleRate).rounded())
    let silence = [Double](repeating: 0, count: AudioBuffer.slice * inputFormat.channelCount)
    var fed = 0
    while made < end {
      // The filter is at most 256 times as long as at equal rates, where it has a few hundred frames.
      guard fed < 1 << 20 else { throw .conversion }
      try convert(silence, to: &result, until: end)
      fed += AudioBuffer.slice
    }
    return result
  }

  /// Whether buffers stay as they are.
  private var isIdentity: Bool { mix == nil && inputFormat.storesSamples(as: outputFormat) }

  private var newDither: Dither? {
    dithers && outputFormat.sampleType.bits.map { $0 < 32 } == true ? Dither() : nil
  }

  /// Converts frames that lie side by side, and appends them to `result` up to the frame `end` of the stream. Channels are
  /// mixed where that leaves fewer of them to resample.
  private func convert(
    _ samples: [Double], to result: inout AudioBuffer, until end: Int = .max
  ) throws(FormatError) {
    var samples = samples
    let mixesFirst = outputFormat.channelCount <= inputFormat.channelCount
    if let mix, mixesFirst { samples = mix.applied(to: samples) }
    if let resampler {
      let width = resampler.channelCount
      guard
        let converted = resampler.push(samples.map { Float($0) }, count: samples.count / width, isLast: false)
      else { throw .conversion }
      let frames = min(converted.count / width, end - made)
      samples = converted.prefix(frames * width).map { Double($0) }
      made += frames
    }
    if let mix, !mixesFirst { samples = mix.applied(to: samples) }
    result.append(interleaved: samples, dithering: &dither)
  }
}

extension AudioBuffer {
  /// The sound in another format, as an ``AudioConverter`` without a channel map converts it.
  ///
  /// - Throws: ``FormatError/ratio(from:to:)``, ``FormatError/channelCount(_:)`` for a buffer without channels,
  ///   ``FormatError/memory(byteCount:)``, ``FormatError/conversion``.
  public func converted(to format: AudioFormat) throws(FormatError) -> AudioBuffer {
    let converter = try AudioConverter(from: self.format, to: format)
    var result = try converter.convert(self)
    result.append(try converter.finish())
    return result
  }
}
