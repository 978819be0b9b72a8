// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletManifest

/// A manifest that is rendered, from opening the files to the last word about them.
struct RenderJob {
  let options: RenderCommand
  let console: Console
  let session: Session
  let interruption = Interruption()
  /// Frames to render before the tail of latencies.
  let length: Int
  private var inputs: [RenderInput]
  private var scores: [RenderScore]
  private var outputs: [RenderOutput]
  private let news: Newsfeed

  /// Opens and checks everything, and makes the outputs' files last: what fails before leaves nothing behind.
  ///
  /// - Throws: a ``Failure``.
  init(options: RenderCommand, manifest: ResolvedManifest, file: String, console: Console) throws {
    self.options = options
    self.console = console
    try Self.check(options.input, "--input", manifest, [.capture, .midiIn])
    try Self.check(options.output, "--output", manifest, [.playback])
    let keyboards = Set(manifest.nodes.filter { $0.kind == .midiIn }.map(\.name))
    let sounds = options.input.filter { !keyboards.contains($0.node) }
    let records = !options.takes.noRecord && manifest.taps.contains { $0.recording != nil }
    guard !options.output.isEmpty || records else {
      let way = manifest.nodes.first { $0.kind == .playback }?.name ?? "desk"
      throw Failure(.badCommandLine, "nothing would be written; name a file, as in --output \(way)=mix.wav")
    }
    let rate =
      try options.rate ?? sounds.first.map { try AudioFileReader($0.path).info.sampleRate }.map {
        Int($0)
      }
      ?? 48_000
    let session: Session
    var changes = Session.Options()
    changes.takesFolder = options.takes.takes
    changes.watchesOutputs = false
    changes.records = !options.takes.noRecord
    do throws(EngineError) {
      session = try Hush.during { () throws(EngineError) in
        try Session(
          manifest, on: .offline(sampleRate: Double(rate), longestBlock: options.block), changes)
      }
    } catch {
      throw Failure(error, in: manifest, file: file)
    }
    self.session = session
    news = Newsfeed(session.engine)
    inputs = try sounds.map { try RenderInput($0, session: session, rate: rate) }
    scores = try options.input.filter { keyboards.contains($0.node) }.map {
      try RenderScore($0, session: session, rate: rate)
    }
    length = try Self.length(options, inputs.map(\.length) + scores.map(\.length), session, rate)
    for node in manifest.nodes where !options.input.contains(where: { $0.node == node.name }) {
      switch node.kind {
      case .capture:
        console.warning("'\(node.name)' hears silence; give it a file, as in --input \(node.name)=voice.wav")
      case .midiIn:
        console.warning("'\(node.name)' hears no note; give it a file, as in --input \(node.name)=song.mid")
      default: break
      }
    }
    outputs = []
    do {
      for file in options.output {
        outputs.append(try RenderOutput(file, session: session, options: options))
      }
      try session.recorder.start()
    } catch {
      for output in outputs { output.discard() }
      throw error
    }
  }

  private static func check(
    _ files: [NodeFile], _ option: String, _ manifest: ResolvedManifest, _ kinds: [ResolvedManifest.Kind]
  ) throws {
    let names = manifest.nodes.filter { kinds.contains($0.kind) }.map(\.name)
    let word = kinds == [.playback] ? "playback" : "capture or midi-in"
    for (place, file) in files.enumerated() {
      guard names.contains(file.node) else {
        let there = names.isEmpty ? "" : "; expected \(names.map { "'\($0)'" }.joined(separator: " or "))"
        throw Failure(
          .badCommandLine, "\(option): there is no \(word) node '\(Clean.line(file.node))'\(there)")
      }
      guard !files[..<place].contains(where: { $0.node == file.node }) else {
        throw Failure(
          .badCommandLine, "\(option): '\(file.node)' has a file already; expected one for each node")
      }
    }
  }

  /// How many frames are asked for.
  private static func length(
    _ options: RenderCommand, _ inputs: [Int], _ session: Session, _ rate: Int
  ) throws -> Int {
    let tail = Int(((options.tail?.value ?? 0) * Double(rate)).rounded())
    if let seconds = options.seconds { return Int((seconds.value * Double(rate)).rounded()) + tail }
    let ends = inputs + session.nodes.compactMap(\.playerLength)
    guard let longest = ends.max(), longest + tail > 0 else {
      throw Failure(
        .badCommandLine,
        ends.isEmpty
          ? "nothing says how long to render: give an --input, or a time, as in --for 60"
          : "what is given ends where it begins: say how long to render, as in --for 60, or give a --tail")
    }
    return longest + tail
  }

  /// Renders to the end, and says what was made.
  ///
  /// - Throws: a ``Failure``; files that are not whole are gone then.
  mutating func run() throws {
    do {
      let rendered = try render()
      for output in outputs { try output.close() }
      let reports = session.recorder.finish()
      try tell(reports, rendered: rendered)
    } catch {
      for output in outputs { output.discard() }
      _ = session.recorder.finish()
      throw error
    }
  }

  /// The work itself; tells how many frames were rendered.
  private mutating func render() throws -> Int {
    let rate = session.engine.sampleRate
    var display = LiveDisplay(console)
    let start = Clock.now
    var done = 0
    while done < length, !interruption.isEnding {
      let count = min(options.block, length - done)
      try render(count)
      done += count
      waitForTakes(done)
      let time = Clock.now - start
      if display.isDue(at: time) {
        let progress = Progress(done: Double(done) / rate, total: Double(length) / rate, elapsed: time)
        display.draw(
          at: time, screen: { columns, _ in progress.screen(columns: columns, style: console.style) },
          line: { progress.line })
      }
    }
    display.clear()
    session.recorder.stop()
    try renderOn(until: done)
    if done == length, !display.canRedraw {
      let whole = Double(length) / rate
      console.note(Progress(done: whole, total: whole, elapsed: Clock.now - start).line)
    }
    return done
  }

  /// Renders one block, with what the inputs have.
  private mutating func render(_ count: Int) throws {
    for place in inputs.indices { try inputs[place].read(count) }
    for place in scores.indices { scores[place].read(count) }
    do throws(EngineError) {
      try session.engine.render(count) { [inputs] node, channel, samples in
        for input in inputs where input.node == node { return input.fill(channel, samples) }
        samples.clear()
      } play: { [scores] node, events, start in
        for score in scores where score.node == node { score.play(events, from: start) }
      } deliver: { [outputs] node, channel, samples in
        for output in outputs where output.node == node { output.take(channel, samples) }
      }
    } catch {
      throw Failure(error)
    }
    for output in outputs { try output.write(count, before: length) }
  }

  /// Renders what latency still holds back, until outputs and takes have all that
  /// belongs to the first `end` frames.
  private mutating func renderOn(until end: Int) throws {
    let owed = outputs.map(\.latency).max() ?? 0
    var rendered = 0
    // A tap behind so much latency that ten seconds do not bring it out ends where it is.
    let most = max(owed, session.recorder.status.isEmpty ? 0 : Int(session.engine.sampleRate * 10))
    while rendered < owed || (rendered < most && !session.recorder.status.isEmpty) {
      let count = rendered < owed ? min(options.block, owed - rendered) : options.block
      for output in outputs { output.isWhole = rendered >= owed }
      try render(count)
      rendered += count
      waitForTakes(end + rendered)
    }
  }

  /// Lets the writer of takes catch up: offline nothing needs to be lost.
  private func waitForTakes(_ rendered: Int) {
    let ahead = Int(session.engine.sampleRate * 2)
    while let least = session.recorder.status.map({ $0.frameCount + $0.lostFrames }).min(),
      rendered - least > ahead
    {
      usleep(500)
    }
  }

  private func tell(_ reports: [TakeReport], rendered: Int) throws {
    // Such as a playback node that was muted: its file is silent from there on.
    for event in news.take() {
      if let text = NewsText.line(event), text.weight == .warning { console.warning(text.line) }
    }
    let results = Results()
    for line in TakeLine.text(outputs.map(\.report) + reports.map(TakeLine.init)) { try results.line(line) }
    for report in reports { if let failure = report.failure { console.error("'\(report.path)' \(failure)") } }
    if rendered < length {
      let rate = session.engine.sampleRate
      console.warning(
        "interrupted at \(Digits.clock(Double(rendered) / rate)) of \(Digits.clock(Double(length) / rate)); "
          + "what was rendered is kept")
      throw Failure.silent(.incompleteTake)
    }
    if reports.contains(where: { !$0.isClean }) { throw Failure.silent(.incompleteTake) }
  }
}
