// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Convolves channels with long impulse responses, without latency and at an even cost.
///
/// The first 64 frames of a response are convolved directly. The rest is divided into partitions whose size grows
/// eightfold from level to level. The smallest level is computed at once. Every other level begins at a response frame
/// that is twice its partition size, so that its computation may take as long as a partition lasts (W. G. Gardner,
/// "Efficient convolution without input-output delay", Journal of the AES 43(3), 1995). Partitions are computed at
/// every 64th frame, counted from the first one, so that the result does not depend on the block sizes.
@safe struct Convolution: ~Copyable {
  /// The interval at which partitions are computed, in frames.
  static var sliceLength: Int { @_noLocks @_noAllocation get { ConvolverHead.length } }

  /// The numbers of input and output channels.
  let inputCount: Int, outputCount: Int
  private let perOutput: Int
  private let head: ConvolverHead
  private var history: ConvolverHistory
  private let levels: UnsafeMutablePointer<ConvolverLevel>
  private let levelCount: Int, largest: Int
  /// The output of the levels for each output channel in this slice.
  private let tails: UnsafeMutablePointer<Float>
  /// The number of input frames since the last multiple of the largest partition.
  private var clock = 0

  /// Creates a convolution with cleared state.
  init(_ routes: ConvolverRoutes) {
    inputCount = routes.inputCount
    outputCount = routes.outputCount
    perOutput = routes.perOutput
    head = ConvolverHead(routes.responses)
    let spans = Self.spans(of: routes.responses.first?.count ?? 0)
    levelCount = spans.count
    unsafe levels = .allocate(capacity: max(levelCount, 1))
    for (number, span) in spans.enumerated() {
      unsafe (levels + number).initialize(to: ConvolverLevel(routes, size: span.size, span: span.frames))
    }
    largest = spans.last?.size ?? Self.sliceLength
    history = ConvolverHistory(channels: inputCount, largest: largest)
    unsafe tails = .allocate(capacity: outputCount * Self.sliceLength)
    unsafe tails.initialize(repeating: 0, count: outputCount * Self.sliceLength)
  }

  deinit {
    unsafe levels.deinitialize(count: levelCount)
    unsafe levels.deallocate()
    unsafe tails.deallocate()
  }

  /// Returns the partition sizes and the ranges of response frames that they cover. A larger size is used only if
  /// enough of the response remains to outweigh the cost of its transforms.
  static func spans(of length: Int) -> [(size: Int, frames: Range<Int>)] {
    var spans: [(size: Int, frames: Range<Int>)] = [], start = sliceLength, size = sliceLength
    while start < length {
      let larger = 8 * size, isLast = size >= 32_768 || length <= 6 * larger
      let end = isLast ? length : 2 * larger
      spans.append((size, start..<end))
      start = end
      size = larger
    }
    return spans
  }

  /// Clears all state.
  @_noLocks @_noAllocation mutating func clear() {
    history.clear()
    for level in 0..<levelCount { unsafe levels[level].clear() }
    unsafe rt_clear_floats(tails, outputCount * Self.sliceLength)
    clock = 0
  }

  /// Returns the number of frames, at most `frames`, that can be processed at once.
  @_noLocks @_noAllocation func begin(_ frames: Int) -> Int {
    min(frames, Self.sliceLength - clock % Self.sliceLength)
  }

  /// Writes `count` frames of an input channel, as many as ``begin(_:)`` returns.
  @_noLocks @_noAllocation func write(_ input: Int, _ samples: UnsafePointer<Float>, count: Int) {
    unsafe history.write(input, samples, count: count)
  }

  /// Reads the frames of an output channel after all inputs have been written. `sink` may be written to up to the end
  /// of the slice.
  @_noLocks @_noAllocation func read(_ output: Int, _ sink: UnsafeMutablePointer<Float>, count: Int) {
    let offset = clock % Self.sliceLength
    unsafe rt_copy_floats(sink, tails + output * Self.sliceLength + offset, count)
    for number in 0..<perOutput {
      let input = perOutput > 1 ? number : min(output, inputCount - 1)
      let frames = unsafe history.frames(input, delay: Self.sliceLength) + Self.sliceLength
      unsafe head.add(output * perOutput + number, of: frames, to: sink, count: count)
    }
  }

  /// Advances by `count` frames. At the end of a slice, partitions are computed.
  @_noLocks @_noAllocation mutating func advance(_ count: Int) {
    history.advance(count)
    clock = clock + count < largest ? clock + count : 0
    guard clock % Self.sliceLength == 0 else { return }
    unsafe rt_clear_floats(tails, outputCount * Self.sliceLength)
    for level in 0..<levelCount {
      let frame = unsafe clock % levels[level].size
      unsafe levels[level].work(history, at: frame)
      guard unsafe levels[level].isPlaying else { continue }
      for output in 0..<outputCount {
        let sound = unsafe levels[level].played(output, from: frame),
          tail = unsafe tails + output * Self.sliceLength
        var index = 0
        while index < Self.sliceLength {
          unsafe tail[eightFrom: index] += sound[eightFrom: index]
          index += 8
        }
      }
    }
  }
}
