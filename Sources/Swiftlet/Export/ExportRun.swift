// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// An engine that is rendered into files, from its first frame to the last.
///
/// One thread uses a run.
final class ExportRun {
  private let engine: AudioEngine
  private let inputs: [ExportInput]
  private let scores: [ExportScore]
  private let outlets: [ExportOutlet]
  private let recorder: Recorder?
  /// What is written, in frames from where the engine stands.
  private let frames: Range<Int>

  init(
    _ engine: AudioEngine, _ inputs: [ExportInput], _ scores: [ExportScore], _ outlets: [ExportOutlet],
    _ recorder: Recorder?, frames: Range<Int>
  ) {
    self.engine = engine
    self.inputs = inputs
    self.scores = scores
    self.outlets = outlets
    self.recorder = recorder
    self.frames = frames
  }

  /// Renders all of it.
  ///
  /// What lies before the range is rendered, too, and left out: so echoes and effects are, at its first frame, what
  /// they are there in the whole. Where there are plugins, all blocks have one length, as in JACK: some plugins write
  /// past the end of a block that is shorter than the one before.
  ///
  /// - Parameter goesOn: is told before each block how many frames are done, and whether to go on.
  /// - Throws: ``ExportError``, of which ``ExportError/cancelled`` comes when takes have got their ends.
  func render(_ goesOn: (Int) -> Bool) throws(ExportError) {
    // Whatever happens: nobody finishes or discards a file that is being written.
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

  /// Renders one block, with what the inputs have.
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

  /// Renders what latency still holds back, until files and takes have all that belongs to the range.
  private func renderOn(after done: Int, forTakesAlone: Bool) throws(ExportError) {
    func isOwed() -> Bool { !forTakesAlone && outlets.contains { $0.isOpen } }
    func isTaking() -> Bool { !(recorder?.status.isEmpty ?? true) }
    var rendered = 0
    // A take behind so much latency that ten seconds do not bring it out ends where it is.
    let most = Int(engine.sampleRate * 10)
    while isOwed() || (isTaking() && rendered < most) {
      try render(engine.longestBlock)
      rendered += engine.longestBlock
      waitForTakes()
    }
  }

  /// Lets the writer of takes catch up: offline nothing needs to be lost.
  private func waitForTakes() { recorder?.awaitWriter(behind: Int(engine.sampleRate * 2)) }
}
