// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Converts sound from one format to another: sample rate, channels, sample type and interleaving.
///
/// ```swift
/// let format = try AudioFormat(sampleRate: 16_000, channelCount: 1, sampleType: .int16)
/// let converter = try AudioConverter(from: buffer.format, to: format)
/// var speech = try converter.convert(buffer)     // once for each buffer
/// speech.append(try converter.finish())          // the rest
/// ```
///
/// `n` frames become `n × outputRate / inputRate`, rounded to the nearest. The first output frame is aligned with the
/// first input frame: the delay of the sample rate converter is removed. The result does not depend on how the sound is
/// divided into buffers. If both formats store samples in the same way and all channels stay in place, the conversion
/// is bit-exact.
///
/// Use a converter from one thread at a time, and not from the audio thread, since it allocates.
public final class AudioConverter {
  /// The format of the buffers that ``convert(_:)`` takes.
  package let inputFormat: AudioFormat
  /// The format of the buffers that ``convert(_:)`` and ``finish()`` return.
  package let outputFormat: AudioFormat

  /// The channel mix; nil if all channels stay in place.
  private let mix: ChannelMix?
  /// The sample rate converter; nil if the rate stays the same.
  private let resampler: Resampler?
  private var dither: Dither?
  private let dithers: Bool
  /// The number of frames of the stream so far, at the input rate and at the output rate.
  private var taken = 0, made = 0

  /// Creates a converter.
  ///
  /// Without a channel map, surround sound of a known ``AudioFormat/Layout`` is mixed to mono or stereo by ITU-R
  /// BS.775-3. Otherwise the rule of wires applies: one channel is copied to all, several channels become one as their
  /// mean, and in all other cases channels are matched in order; surplus input channels are dropped, and surplus output
  /// channels are silent.
  ///
  /// - Parameters:
  ///   - input: the format to convert from.
  ///   - output: the format to convert to. The rates may differ by a factor of up to 256.
  ///   - channelMap: for each output channel, the index of its input channel, from 0, or nil for silence. If nil, the
  ///     default, the rule above applies.
  ///   - dithers: whether dither is added before samples are rounded to 16 or 24 bits: noise of triangular density, two
  ///     steps wide, which turns the rounding error into noise. The default is true. Samples that need no rounding, and
  ///     silence, are not changed.
  /// - Throws: ``FormatError/mapLength(_:outputChannels:)``, ``FormatError/mapChannel(_:inputChannels:)``,
  ///   ``FormatError/ratio(from:to:)``, ``FormatError/channelCount(_:)`` if either format has no channels.
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

  /// Converts the next frames of a stream. If the sample rate changes, the next call or ``finish()`` returns some of
  /// them.
  ///
  /// - Throws: ``FormatError/buffer(_:expected:)`` for a buffer of another format; the layout may differ;
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

  /// Returns the rest of the stream, as if silence followed. The next buffer begins a new stream.
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
      // The filter is at most 256 times as long as for equal rates, where it has a few hundred frames.
      guard fed < 1 << 20 else { throw .conversion }
      try convert(silence, to: &result, until: end)
      fed += AudioBuffer.slice
    }
    return result
  }

  /// Whether buffers pass through unchanged.
  private var isIdentity: Bool { mix == nil && inputFormat.storesSamples(as: outputFormat) }

  private var newDither: Dither? {
    dithers && outputFormat.sampleType.bits.map { $0 < 32 } == true ? Dither() : nil
  }

  /// Converts interleaved frames, and appends them to `result` up to the frame `end` of the stream. Channels are mixed
  /// before resampling if that leaves fewer channels to resample, otherwise after.
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
  /// Returns the sound in another format, as an ``AudioConverter`` without a channel map converts it.
  ///
  /// - Throws: ``FormatError/ratio(from:to:)``, ``FormatError/channelCount(_:)`` if the buffer has no channels,
  ///   ``FormatError/memory(byteCount:)``, ``FormatError/conversion``.
  public func converted(to format: AudioFormat) throws(FormatError) -> AudioBuffer {
    let converter = try AudioConverter(from: self.format, to: format)
    var result = try converter.convert(self)
    result.append(try converter.finish())
    return result
  }
}
