// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// What a transform works on and with: two arrays of complex numbers, which the passes read and write in
/// turns, and the powers of roots of one. The transform owns it, and frees it.
@safe struct FFTMemory: BitwiseCopyable {
  /// Complex numbers, real parts and imaginary parts apart.
  @unsafe struct Numbers: BitwiseCopyable {
    let real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  }

  /// What one pass multiplies with: six rows of floats, the real and imaginary parts of w, w² and w³.
  @unsafe struct Roots: BitwiseCopyable {
    let base: UnsafeMutablePointer<Float>, length: Int
  }

  /// How many passes of radix 4 there are, and whether one of radix 2 follows.
  let fourCount: Int, endsWithTwo: Bool
  /// What the numbers lie in, in front and behind; each pass writes into the other one.
  let front: Numbers, back: Numbers
  /// `cos(πk/n)` and `sin(πk/n)` for the n complex numbers.
  let turns: Numbers

  /// Room for 32 floats on their way to other places.
  let scratch: UnsafeMutablePointer<Float>

  private let block: UnsafeMutableRawPointer
  private let roots: UnsafeMutablePointer<Roots>

  /// How many passes there are.
  var passCount: Int { @_noLocks @_noAllocation get { fourCount + (endsWithTwo ? 1 : 0) } }

  /// Eights may reach so far past the end of the numbers in a transform that is shorter than they are.
  private static var margin: Int { 32 }

  /// Memory for a transform of `count` complex numbers, a power of two from 8.
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
    unsafe turns = Self.numbers(memory, 2, count)
    unsafe scratch = memory + floats - 32
    for place in 0..<count {
      let angle = Double.pi * Double(place) / Double(count)
      unsafe turns.real[place] = Float(rt_cos_double(angle))
      unsafe turns.imaginary[place] = Float(rt_sin_double(angle))
    }
    var place = 6 * (count + Self.margin)
    for pass in 0..<fourCount {
      let length = Self.length(pass, count)
      let own = unsafe Roots(base: memory + place, length: length)
      unsafe Self.fill(own, pass, count)
      unsafe (roots + pass).initialize(to: own)
      place += 6 * length
    }
  }

  func deallocate() {
    unsafe roots.deallocate()
    unsafe block.deallocate()
  }

  /// The roots of one pass.
  @_noLocks @_noAllocation @unsafe func roots(_ pass: Int) -> Roots { unsafe roots[pass] }

  private static func numbers(_ memory: UnsafeMutablePointer<Float>, _ place: Int, _ count: Int) -> Numbers {
    let real = unsafe memory + 2 * place * (count + margin)
    return unsafe Numbers(real: real, imaginary: real + count + margin)
  }

  /// How long a row of roots is. The second pass has each of them four times, so that eights can be loaded.
  private static func length(_ pass: Int, _ count: Int) -> Int {
    let roots = count >> (2 * pass + 2)
    return pass < 2 ? max(pass == 1 ? 4 * roots : roots, 8) : roots
  }

  private static func fill(_ roots: Roots, _ pass: Int, _ count: Int) {
    let order = count >> (2 * pass), repeats = pass == 1 ? 4 : 1
    for place in unsafe 0..<roots.length {
      for power in 1...3 {
        let angle = -2 * Double.pi * Double(power * (place / repeats)) / Double(order)
        unsafe roots.base[(2 * power - 2) * roots.length + place] = Float(rt_cos_double(angle))
        unsafe roots.base[(2 * power - 1) * roots.length + place] = Float(rt_sin_double(angle))
      }
    }
  }
}
