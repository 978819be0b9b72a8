// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// What a backend hands to the renderer: some frames of the outside world.
///
/// A backend is whoever calls `renderer.render(cycle)`: JACK's callback, the offline loop, a test. The memory
/// it points to is the backend's, and valid for the call. Input buffers are only read; two may be one.
@unsafe package struct Cycle: BitwiseCopyable {
  /// How many frames, from 1 to the renderer's longest block.
  package var frameCount: Int
  /// The absolute position of the first frame. It goes on from cycle to cycle; a gap is a loss.
  package var frame: Int64
  /// Tempo, bar and beat at the first frame.
  package var transport: Transport
  /// Whether nobody listens and time does not matter.
  package var isFreewheeling: Bool
  /// One bus for each way in, by the number its graph node states. Those beyond `inputCount` are silent.
  package var inputs: UnsafePointer<BusMemory>
  /// How many ways in there are.
  package var inputCount: Int
  /// One bus for each way out, by the number its graph node states.
  package var outputs: UnsafePointer<BusMemory>
  /// How many ways out there are.
  package var outputCount: Int

  /// A cycle over memory that the caller keeps alive for the call.
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
