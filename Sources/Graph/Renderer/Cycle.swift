// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// The frames and buffers of one cycle, which a backend passes to the renderer.
///
/// A backend is the caller of `renderer.render(cycle)`: JACK's callback, the offline loop or a test. The backend owns
/// the memory, which must be valid for the call. Input buffers are only read; two of them may be the same.
@unsafe package struct Cycle: BitwiseCopyable {
  /// The number of frames, from 1 to the renderer's longest block.
  package var frameCount: Int
  /// The absolute position of the first frame. It continues from cycle to cycle; a gap means lost frames.
  package var frame: Int64
  /// The transport at the first frame, with tempo, bar and beat.
  package var transport: Transport
  /// Whether the cycle has no deadline and no listener: while JACK freewheels, and offline.
  package var isFreewheeling: Bool
  /// One bus per input node, by the number that the graph node states. Input nodes beyond `inputCount` are silent.
  package var inputs: UnsafePointer<BusMemory>
  /// The number of input buses.
  package var inputCount: Int
  /// One bus per output node, by the number that the graph node states.
  package var outputs: UnsafePointer<BusMemory>
  /// The number of output buses.
  package var outputCount: Int

  /// Creates a cycle over memory that the caller keeps valid for the call.
  package init(
    frame: Int64, frameCount: Int, transport: Transport = Transport(), isFreewheeling: Bool = false,
    inputs: UnsafePointer<BusMemory>, inputCount: Int, outputs: UnsafePointer<BusMemory>, outputCount: Int
  ) {
    unsafe self.frame = frame
    unsafe self.frameCount = frameCount
    unsafe self.transport = transport
    unsafe self.isFreewheeling = isFreewheeling
    unsafe self.inputs = inputs
    unsafe self.inputCount = inputCount
    unsafe self.outputs = outputs
    unsafe self.outputCount = outputCount
  }
}
