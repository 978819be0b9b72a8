// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// Renders an engine into files, from the first frame to the last.
///
/// One thread uses a run.
final class ExportRun {
  private let engine: AudioEngine
  private let inputs: [ExportInput]
  private let scores: [ExportScore]
  private let outlets: [BusExporter]
  private let recorder: Recorder?
  /// The range that is written, in frames from the engine's current position.
  private let frames: Range<Int>

  init(
    _ engine: AudioEngine, _ inputs: [ExportInput], _ scores: [ExportScore], _ outlets: [BusExporter],
    _ recorder: Recorder?, frames: Range<Int>
  ) {
    self.engine = engine
    self.inputs = inputs
    self.scores = scores
    self.outlets = outlets
    self.recorder = recorder
    self.frames = frames
  }

  /// Renders the whole range.
  ///
  /// The frames before the range are rendered, too, and dropped, so that echoes and effects have the right state at
  /// its first frame. If the graph has plugins, all blocks have one length, as in JACK: some plugins write past the
  /// end of a block that is shorter than the one before.
  ///
  /// - Parameter goesOn: called before each block with the number of frames that are done; returns false to cancel.
  /// - Throws: ``ExportError``; ``ExportError/cancelled`` is thrown once takes have been ended.
  func render(_ goesOn: (Int) -> Bool) throws(ExportError) {
    // On every path, the queues must have finished with the files before those are finished or discarded.
    defer {
      for outlet in outlets { outlet.settle() }
      engine.closeInquiries()
    }
    try exporting { () throws(EngineError) in try engine.settle() }
    for outlet in outlets { outlet.expect(frames) }
    let start = engine.renderer.position.load(ordering: .acquiring)
    func time(_ frame: Int) -> AudioTime {
      AudioTime(frame: start + Int64(frame), sampleRate: engine.sampleRate)
    }
    let mayCut = engine.core.withLock { $0.roster.plugins.isEmpty }
    var done = 0, isCancelled = false
    while done < frames.upperBound {
      let count = mayCut ? min(engine.longestBlock, frames.upperBound - done) : engine.longestBlock
      if done..<done + count ~= frames.lowerBound { try startTakes(at: time(frames.lowerBound)) }
      isCancelled = !goesOn(done)
      if isCancelled { break }
      if done + count >= frames.upperBound { recorder?.stop(at: time(frames.upperBound)) }
      try render(count)
      done += count
      waitForTakes()
    }
    if isCancelled { recorder?.stop() }
    try renderOn(after: done, forTakesAlone: isCancelled)
    if isCancelled { throw .cancelled }
    for outlet in outlets { outlet.settle() }
    try exportingFile { () throws(FileError) in for outlet in outlets { try outlet.check() } }
    _ = goesOn(frames.upperBound)
  }

  private func startTakes(at time: AudioTime) throws(ExportError) {
    guard let recorder else { return }
    try exporting { () throws(EngineError) in _ = try recorder.start(nil, at: time) }
  }

  /// Renders one block from the inputs, and passes it to the outlets.
  private func render(_ count: Int) throws(ExportError) {
    try exportingFile { () throws(FileError) in for input in inputs { try input.read(count) } }
    for score in scores { score.read(count) }
    try exporting { () throws(EngineError) in
      try engine.renderClaimed(count) { node, channel, samples in
        for input in inputs where input.node == node { return input.fill(channel, samples) }
        samples.clear()
      } play: { node, events, start in
        for score in scores where score.node == node { score.play(events, from: start) }
      } deliver: { node, channel, samples in
        for outlet in outlets where outlet.node == node { outlet.take(channel, samples) }
      }
    }
    try exportingFile { () throws(FileError) in for outlet in outlets { try outlet.write(count) } }
  }

  /// Renders on after the range, until files and takes have all frames that latency has delayed.
  private func renderOn(after done: Int, forTakesAlone: Bool) throws(ExportError) {
    func hasOpenOutlet() -> Bool { !forTakesAlone && outlets.contains { $0.isOpen } }
    func isTaking() -> Bool { !(recorder?.status.isEmpty ?? true) }
    var rendered = 0
    // The limit is 10 s: a take with more latency than that ends early.
    let most = Int(engine.sampleRate * 10)
    while hasOpenOutlet() || (isTaking() && rendered < most) {
      try render(engine.longestBlock)
      rendered += engine.longestBlock
      waitForTakes()
    }
  }

  /// Waits for the writer of takes, so that no frame is lost offline.
  private func waitForTakes() { recorder?.awaitWriter(behind: Int(engine.sampleRate * 2)) }
}
