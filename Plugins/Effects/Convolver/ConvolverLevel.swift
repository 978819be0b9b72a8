// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A range of some responses, divided into partitions of one size, which are convolved by Fourier transforms.
///
/// When the input has filled a partition, its spectrum is multiplied by that of the first partition of the response,
/// the previous input spectrum by that of the second, and so on. The sum is transformed back, and its second half is
/// the output (overlap-save). The smallest level computes this at once. The other levels distribute it over the time
/// until the next partition is full, in portions of equal cost.
@safe struct ConvolverLevel: ~Copyable {
  /// The partition size in frames.
  let size: Int
  private let inputCount: Int, outputCount: Int, perOutput: Int
  private let partitionCount: Int
  private let fft: RealFFT

  /// For each response, each group of eight bins and each partition: eight real and eight imaginary parts.
  private let responses: UnsafeMutablePointer<Float>
  /// For each input, each group of eight bins and each of the last input partitions: eight real and eight imaginary
  /// parts.
  private let spectra: UnsafeMutablePointer<Float>
  /// The spectrum of an output.
  private let sum: UnsafeMutablePointer<Float>
  /// For each output a partition that is never read, and two partitions of which one is computed while the other is
  /// played.
  private let results: UnsafeMutablePointer<Float>

  /// The index of the newest input spectrum, and the number of input spectra since the state was cleared.
  private var newest = 0, filled = 0
  /// The index of the result that is being computed, and whether the other one is played.
  private var made = 0
  private(set) var isPlaying = false
  /// The progress of the computation: the row, the portion in it, and the work that is done.
  private var row = Int.max, portion = 0, done = 0

  /// The work of one portion of the products with one partition, in eighths of a portion of a transform.
  private static var weightOfPartition: Int { @_noLocks @_noAllocation get { 4 } }

  /// Creates a level for the range `span` of each response.
  init(_ routes: ConvolverRoutes, size: Int, span: Range<Int>) {
    self.size = size
    inputCount = routes.inputCount
    outputCount = routes.outputCount
    perOutput = routes.perOutput
    partitionCount = (span.count + size - 1) / size
    fft = RealFFT(count: 2 * size)
    let floats = 2 * size * partitionCount
    unsafe responses = Self.memory(floats * routes.responses.count)
    unsafe spectra = Self.memory(floats * routes.inputCount)
    unsafe sum = Self.memory(2 * size)
    unsafe results = Self.memory(3 * size * routes.outputCount)
    for (number, response) in routes.responses.enumerated() {
      for partition in 0..<partitionCount {
        var frames = [Float](repeating: 0, count: 2 * size)
        let from = span.lowerBound + partition * size
        for index in from..<min(from + size, span.upperBound) { frames[index - from] = response[index] }
        let spectrum = unsafe Self.spectrum(responses, number, partition, of: partitionCount, size)
        unsafe frames.withUnsafeBufferPointer { frames in
          if let base = frames.baseAddress { unsafe fft.forward(base, to: spectrum) }
        }
      }
    }
  }

  deinit {
    unsafe responses.deallocate()
    unsafe spectra.deallocate()
    unsafe sum.deallocate()
    unsafe results.deallocate()
  }

  private static func memory(_ floats: Int) -> UnsafeMutablePointer<Float> {
    let bytes = floats * MemoryLayout<Float>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    return unsafe memory.initializeMemory(as: Float.self, repeating: 0, count: floats)
  }

  /// Returns the spectrum of a partition among those of `count` partitions.
  @_noLocks @_noAllocation private static func spectrum(
    _ memory: UnsafeMutablePointer<Float>, _ number: Int, _ partition: Int, of count: Int, _ size: Int
  ) -> RealFFT.Spectrum {
    let real = unsafe memory + 2 * size * count * number + 16 * partition
    return unsafe RealFFT.Spectrum(real: real, imaginary: real + 8, stride: 16 * count)
  }

  /// Clears all state.
  @_noLocks @_noAllocation mutating func clear() {
    newest = 0
    filled = 0
    row = .max
    isPlaying = false
  }

  /// Returns the output from `frame` frames after the last input partition on.
  @_noLocks @_noAllocation func played(_ output: Int, from frame: Int) -> UnsafePointer<Float> {
    unsafe UnsafePointer(results + (3 * output + 2 - made) * size + frame)
  }

  /// Continues the computation, at every 64th frame.
  ///
  /// - Parameter frame: the number of input frames since the last multiple of the partition size.
  @_noLocks @_noAllocation mutating func work(_ history: borrowing ConvolverHistory, at frame: Int) {
    if frame == 0 {
      isPlaying = row == rowCount
      made = 1 - made
      newest = newest > 0 ? newest - 1 : partitionCount - 1
      filled = min(filled + 1, partitionCount)
      row = 0
      portion = 0
      done = 0
    }
    guard row < rowCount else { return }
    guard size > ConvolverHead.length else {
      run(history, back: 2 * size, until: .max)
      made = 1 - made
      isPlaying = true
      return
    }
    run(history, back: 2 * size + frame, until: workCount * (frame + ConvolverHead.length) / size)
  }

  /// The number of rows: the steps of each input's transform, then for each output a row of products and the steps of
  /// the inverse transform.
  private var rowCount: Int {
    @_noLocks @_noAllocation get { inputCount * fft.stepCount + outputCount * (fft.stepCount + 1) }
  }

  /// The work of all rows, in eighths of a portion of a transform.
  private var workCount: Int {
    @_noLocks @_noAllocation get {
      let steps = 8 * inputCount * fft.stepCount + outputCount * (8 * fft.stepCount - 4 + weightOfProducts)
      return steps * fft.portionCount
    }
  }

  private var weightOfProducts: Int {
    @_noLocks @_noAllocation get { perOutput * partitionCount * Self.weightOfPartition }
  }

  @_noLocks @_noAllocation private mutating func run(
    _ history: borrowing ConvolverHistory, back: Int, until goal: Int
  ) {
    let steps = fft.stepCount, portions = fft.portionCount
    while row < rowCount {
      guard done < goal else { return }
      let further = row - inputCount * steps, output = further / (steps + 1)
      let step = further < 0 ? row % steps : further % (steps + 1) - 1
      let weight = step < 0 ? weightOfProducts : 8
      let count = goal == .max ? portions : (goal - done + weight - 1) / weight
      let end = min(portion + count, portions)
      if further < 0 {
        transform(row / steps, step, portion..<end, history, back)
      } else if step < 0 {
        multiply(output, portion..<end)
      } else {
        finish(output, step, portion..<end)
      }
      done += weight * (end - portion)
      portion = end
      guard portion == portions else { continue }
      row += 1
      // Only the second half of the inverse transform is used.
      portion = step == steps - 2 && further >= 0 ? portions / 2 : 0
    }
  }

  @_noLocks @_noAllocation private func transform(
    _ input: Int, _ step: Int, _ portions: Range<Int>, _ history: borrowing ConvolverHistory, _ back: Int
  ) {
    let spectrum = unsafe Self.spectrum(spectra, input, newest, of: partitionCount, size)
    unsafe fft.forward(history.frames(input, delay: back), to: spectrum, step: step, portions)
  }

  @_noLocks @_noAllocation private func finish(_ output: Int, _ step: Int, _ portions: Range<Int>) {
    let spectrum = unsafe RealFFT.Spectrum(real: sum, imaginary: sum + 8, stride: 16)
    unsafe fft.inverse(spectrum, to: results + (3 * output + made) * size, step: step, portions)
  }

  /// Adds up the products of input and response spectra, 32 bins in each portion.
  @_noLocks @_noAllocation private func multiply(_ output: Int, _ portions: Range<Int>) {
    let straight = min(filled, partitionCount - newest), round = filled - straight
    let stride = 16 * partitionCount
    for block in 4 * portions.lowerBound..<4 * portions.upperBound {
      var products = ConvolverProducts()
      for number in 0..<perOutput {
        let input = perOutput > 1 ? number : min(output, inputCount - 1)
        let sound = unsafe spectra + (input * size / 8 + block) * stride
        let response = unsafe responses + ((output * perOutput + number) * size / 8 + block) * stride
        unsafe products.add(sound + 16 * newest, response, count: straight)
        unsafe products.add(sound, response + 16 * straight, count: round)
      }
      unsafe products.store(to: sum + 16 * block, isFirst: block == 0)
    }
  }
}
