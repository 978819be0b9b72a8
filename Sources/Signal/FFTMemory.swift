// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The memory of a transform: two arrays of complex numbers, which the passes read and write alternately, and the
/// twiddle factors. The transform owns and frees it.
@safe struct FFTMemory: BitwiseCopyable {
  /// Complex numbers, with real and imaginary parts in separate arrays.
  @unsafe struct Numbers: BitwiseCopyable {
    let real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  }

  /// The twiddle factors of one pass: six rows of floats, the real and imaginary parts of w, w² and w³.
  @unsafe struct TwiddleFactors: BitwiseCopyable {
    let base: UnsafeMutablePointer<Float>, length: Int
  }

  /// The number of radix-4 passes, and whether a radix-2 pass follows.
  let fourCount: Int, endsWithTwo: Bool
  /// The two arrays of complex numbers; each pass reads one and writes the other.
  let front: Numbers, back: Numbers
  /// `cos(πk/n)` and `sin(πk/n)` for the n complex numbers.
  let rotations: Numbers

  /// Memory for 32 floats while they are rearranged.
  let scratch: UnsafeMutablePointer<Float>

  private let block: UnsafeMutableRawPointer
  private let roots: UnsafeMutablePointer<TwiddleFactors>

  /// The number of passes.
  var passCount: Int { @_noLocks @_noAllocation get { fourCount + (endsWithTwo ? 1 : 0) } }

  /// The number of floats past the end of an array that an access of eight floats may touch in a short transform.
  private static var margin: Int { 32 }

  /// Allocates memory for a transform of `count` complex numbers, a power of two of at least 8.
  init(_ count: Int) {
    let log = count.trailingZeroBitCount
    fourCount = log / 2
    endsWithTwo = log % 2 == 1
    unsafe roots = .allocate(capacity: fourCount)
    var lengths = 0
    for pass in 0..<fourCount { lengths += 6 * Self.length(pass, count) }
    let floats = 6 * (count + Self.margin) + lengths + 32
    unsafe block = .allocate(byteCount: floats * MemoryLayout<Float>.stride, alignment: 64)
    let memory = unsafe block.initializeMemory(as: Float.self, repeating: 0, count: floats)
    unsafe front = Self.numbers(memory, 0, count)
    unsafe back = Self.numbers(memory, 1, count)
    unsafe rotations = Self.numbers(memory, 2, count)
    unsafe scratch = memory + floats - 32
    for index in 0..<count {
      let angle = Double.pi * Double(index) / Double(count)
      unsafe rotations.real[index] = Float(rt_cos_double(angle))
      unsafe rotations.imaginary[index] = Float(rt_sin_double(angle))
    }
    var offset = 6 * (count + Self.margin)
    for pass in 0..<fourCount {
      let length = Self.length(pass, count)
      let own = unsafe TwiddleFactors(base: memory + offset, length: length)
      unsafe Self.fill(own, pass, count)
      unsafe (roots + pass).initialize(to: own)
      offset += 6 * length
    }
  }

  func deallocate() {
    unsafe roots.deallocate()
    unsafe block.deallocate()
  }

  /// Returns the twiddle factors of one pass.
  @_noLocks @_noAllocation @unsafe func roots(_ pass: Int) -> TwiddleFactors { unsafe roots[pass] }

  private static func numbers(_ memory: UnsafeMutablePointer<Float>, _ number: Int, _ count: Int) -> Numbers {
    let real = unsafe memory + 2 * number * (count + margin)
    return unsafe Numbers(real: real, imaginary: real + count + margin)
  }

  /// Returns the length of a row of twiddle factors. In the second pass each factor is stored four times, so that eight
  /// can be loaded at once.
  private static func length(_ pass: Int, _ count: Int) -> Int {
    let roots = count >> (2 * pass + 2)
    return pass < 2 ? max(pass == 1 ? 4 * roots : roots, 8) : roots
  }

  private static func fill(_ roots: TwiddleFactors, _ pass: Int, _ count: Int) {
    let order = count >> (2 * pass), repeats = pass == 1 ? 4 : 1
    for index in unsafe 0..<roots.length {
      for power in 1...3 {
        let angle = -2 * Double.pi * Double(power * (index / repeats)) / Double(order)
        unsafe roots.base[(2 * power - 2) * roots.length + index] = Float(rt_cos_double(angle))
        unsafe roots.base[(2 * power - 1) * roots.length + index] = Float(rt_sin_double(angle))
      }
    }
  }
}
