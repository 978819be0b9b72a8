// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Apple's IMA 4:1: one channel in packets of 64 samples and 34 bytes.
///
/// The algorithm is in IMA's recommended practices of 1992: each sample becomes a four-bit difference from a
/// prediction, in steps whose size adapts to the sound. A packet begins with the upper nine bits of the prediction and
/// the seven-bit index in the step table. A decoder that has decoded the previous packet has the remaining bits of the
/// prediction.
struct IMA4 {
  static let packetFrames = 64
  static let packetBytes = 34

  /// The tags that AIFF has a chunk for, by the chunk's name.
  static let tagsInAIFF = ["NAME": "title", "AUTH": "artist", "(c) ": "copyright", "ANNO": "comment"]

  private var predicted: Int32 = 0
  private var stepIndex: Int32 = 0

  private static let steps: [Int32] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88,
    97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658,
    724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660,
    4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818,
    18500, 20350, 22385, 24623, 27086, 29794, 32767,
  ]
  private static let stepChanges: [Int32] = [-1, -1, -1, -1, 2, 4, 6, 8]

  /// Updates the prediction and the step index with the four-bit code of the next sample.
  private mutating func follow(_ code: UInt8) {
    let step = IMA4.steps[Int(stepIndex)]
    var change = step >> 3
    if code & 4 != 0 { change += step }
    if code & 2 != 0 { change += step >> 1 }
    if code & 1 != 0 { change += step >> 2 }
    predicted = min(max(predicted + (code & 8 != 0 ? -change : change), -32768), 32767)
    stepIndex = min(max(stepIndex + IMA4.stepChanges[Int(code & 7)], 0), 88)
  }

  /// Returns the four-bit code that comes nearest to a 16-bit sample.
  private func code(of sample: Int32) -> UInt8 {
    var difference = sample - predicted
    var code: UInt8 = difference < 0 ? 8 : 0
    difference = abs(difference)
    var step = IMA4.steps[Int(stepIndex)]
    for bit: UInt8 in [4, 2, 1] {
      if difference >= step {
        code |= bit
        difference -= step
      }
      step >>= 1
    }
    return code
  }

  /// Encodes 64 samples of 16 bits into 34 bytes. Missing samples are silence.
  mutating func pack(_ samples: ArraySlice<Int32>) -> [UInt8] {
    let head = UInt16(truncatingIfNeeded: predicted) & 0xFF80 | UInt16(stepIndex)
    var bytes = [UInt8(head >> 8), UInt8(head & 0xFF)]
    var low: UInt8?
    for index in 0..<IMA4.packetFrames {
      let code = code(of: index < samples.count ? samples[samples.startIndex + index] : 0)
      follow(code)
      if let first = low {
        bytes.append(code << 4 | first)
        low = nil
      } else {
        low = code
      }
    }
    return bytes
  }

  /// Decodes 34 bytes. Calls `put` with each index from 0 to 63 and its 16-bit sample.
  mutating func unpack(_ bytes: ArraySlice<UInt8>, _ put: (Int, Int32) -> Void) {
    guard bytes.count == IMA4.packetBytes else { return }
    let head = UInt16(bytes[bytes.startIndex]) << 8 | UInt16(bytes[bytes.startIndex + 1])
    let stated = Int32(Int16(bitPattern: head & 0xFF80)), step = min(Int32(head & 0x7F), 88)
    if step != stepIndex || abs(stated - predicted) > 0x7F { (predicted, stepIndex) = (stated, step) }
    for (index, byte) in bytes.dropFirst(2).enumerated() {
      follow(byte & 0xF)
      put(2 * index, predicted)
      follow(byte >> 4)
      put(2 * index + 1, predicted)
    }
  }
}
