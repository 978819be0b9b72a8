// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Convolves some channels with long responses, without delay and at an even cost.
///
/// The first 64 frames of a response are multiplied out; the rest is cut into partitions that grow eightfold
/// from level to level. A level begins where twice its partition has passed, so that it has as long as a
/// partition lasts for its work (W. G. Gardner, "Efficient convolution without input-output delay", Journal
/// of the AES 43(3), 1995); only the smallest is done at once. All happens at every 64th frame, counted from
/// the first one, so that the result does not hang on how sound is cut into blocks.
@safe struct Convolution: ~Copyable {
  /// How often partitions are worked on, in frames.
  static var stretch: Int { @_noLocks @_noAllocation get { ConvolverHead.length } }

  /// How many channels go in and come out.
  let inputCount: Int, outputCount: Int
  private let perOutput: Int
  private let head: ConvolverHead
  private var history: ConvolverHistory
  private let levels: UnsafeMutablePointer<ConvolverLevel>
  private let levelCount: Int, largest: Int
  /// What the levels have for each output in this stretch.
  private let tails: UnsafeMutablePointer<Float>
  /// How many frames have come in since a whole number of the largest partitions.
  private var clock = 0

  /// A convolution at rest.
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
    largest = spans.last?.size ?? Self.stretch
    history = ConvolverHistory(channels: inputCount, largest: largest)
    unsafe tails = .allocate(capacity: outputCount * Self.stretch)
    unsafe tails.initialize(repeating: 0, count: outputCount * Self.stretch)
  }

  deinit {
    unsafe levels.deinitialize(count: levelCount)
    unsafe levels.deallocate()
    unsafe tails.deallocate()
  }

  /// Which partitions work on which frames of a response. A larger size is worth its transforms when there is
  /// enough left to go through it.
  static func spans(of length: Int) -> [(size: Int, frames: Range<Int>)] {
    var spans: [(size: Int, frames: Range<Int>)] = [], start = stretch, size = stretch
    while start < length {
      let larger = 8 * size, isLast = size >= 32_768 || length <= 6 * larger
      let end = isLast ? length : 2 * larger
      spans.append((size, start..<end))
      start = end
      size = larger
    }
    return spans
  }

  /// Forgets all sound.
  @_noLocks @_noAllocation mutating func clear() {
    history.clear()
    for level in 0..<levelCount { unsafe levels[level].clear() }
    unsafe rt_clear_floats(tails, outputCount * Self.stretch)
    clock = 0
  }

  /// How many of `frames` frames can be worked on at once.
  @_noLocks @_noAllocation func begin(_ frames: Int) -> Int {
    min(frames, Self.stretch - clock % Self.stretch)
  }

  /// Takes in `count` frames of a channel, as many as ``begin(_:)`` says.
  @_noLocks @_noAllocation func write(_ input: Int, _ samples: UnsafePointer<Float>, count: Int) {
    unsafe history.write(input, samples, count: count)
  }

  /// Gives the frames of an output, after all inputs are written. The sink may be written to up to a stretch.
  @_noLocks @_noAllocation func read(_ output: Int, _ sink: UnsafeMutablePointer<Float>, count: Int) {
    let place = clock % Self.stretch
    unsafe rt_copy_floats(sink, tails + output * Self.stretch + place, count)
    for number in 0..<perOutput {
      let input = perOutput > 1 ? number : min(output, inputCount - 1)
      let frames = unsafe history.frames(input, delay: Self.stretch) + Self.stretch
      unsafe head.add(output * perOutput + number, of: frames, to: sink, count: count)
    }
  }

  /// Moves on, and works on partitions where a stretch is full.
  @_noLocks @_noAllocation mutating func advance(_ count: Int) {
    history.advance(count)
    clock = clock + count < largest ? clock + count : 0
    guard clock % Self.stretch == 0 else { return }
    unsafe rt_clear_floats(tails, outputCount * Self.stretch)
    for level in 0..<levelCount {
      let frame = unsafe clock % levels[level].size
      unsafe levels[level].work(history, at: frame)
      guard unsafe levels[level].isPlaying else { continue }
      for output in 0..<outputCount {
        let sound = unsafe levels[level].played(output, from: frame),
          tail = unsafe tails + output * Self.stretch
        var place = 0
        while place < Self.stretch {
          unsafe tail[eightFrom: place] += sound[eightFrom: place]
          place += 8
        }
      }
    }
  }
}
