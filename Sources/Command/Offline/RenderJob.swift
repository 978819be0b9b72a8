// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch
internal import Swiftlet
internal import SwiftletManifest
internal import SwiftletThreads

/// A render of a manifest: applies the options, shows progress, reports the result.
struct RenderJob {
  private let console: Console
  private let session: Session
  private let export: ExportSession
  private let stopSignal = StopSignal()
  /// The paths of stems, whose gain follows the loudness of their mix.
  private let stems: Set<String>
  private let eventQueue: EventQueue

  /// Opens and checks everything. No file is created yet.
  ///
  /// - Throws: A ``Failure``.
  init(options: RenderCommand, manifest: ResolvedManifest, file: String, console: Console) throws {
    self.console = console
    try Self.check(options.input, manifest)
    try options.takes.requireTakesInside(manifest, file: file)
    var manifest = manifest
    let outputs = try RenderOutputs(options, &manifest)
    stems = Set(outputs.files.filter { $0.mix != nil }.map(\.path))
    let keyboards = Set(manifest.nodes.filter { $0.kind == .midiIn }.map(\.name))
    let sound = options.input.first { !keyboards.contains($0.node) }
    let rate =
      try options.rate ?? sound.map { Int(try AudioFile(reading: $0.path).info.sampleRate) } ?? 48_000
    session = try Self.session(of: manifest, file, options, rate)
    eventQueue = EventQueue(session.engine)
    export = try ExportSession(session.engine)
    export.protect(file)
    for input in options.input {
      if let node = session.node(input.node) { try export.feed(node, from: input.path) }
    }
    for file in outputs.files {
      guard let node = session.node(file.node) else { continue }
      if let movie = file.movie {
        try export.add(
          ExportFile(
            file.path, movie, format: file.format, video: manifest.video, of: node,
            overwrites: options.overwrite))
        continue
      }
      try export.add(
        ExportFile(
          file.path, format: file.format, of: node, mix: file.mix.flatMap { session.node($0) },
          overwrites: options.overwrite))
    }
    var wanted = ExportSession.Options()
    wanted.range = try Self.range(options, Double(rate), manifest.tempo, export.duration)
    wanted.tail = try options.tail.map { try MediaTime(seconds: $0.value) } ?? .zero
    wanted.loudness = options.loudness
    for tag in options.tag { wanted.tags.set(tag.name, to: tag.text) }
    if let truePeak = options.truePeak { wanted.loudness?.truePeak = truePeak }
    wanted.recorder = options.takes.noRecord ? nil : session.recorder
    export.options = wanted
    try export.check()
    if options.range != nil, let range = wanted.range, let end = export.duration, range.upperBound > end {
      console.warning(
        "playback ends at \(end), the range at \(range.upperBound): echoes and silence fill the rest")
    }
    warn(of: manifest, options)
  }

  private static func check(_ inputs: [NodeFile], _ manifest: ResolvedManifest) throws {
    let names = manifest.nodes.filter { $0.kind == .capture || $0.kind == .midiIn }.map(\.name)
    for (index, file) in inputs.enumerated() {
      guard names.contains(file.node) else {
        let there = names.isEmpty ? "" : "; expected \(names.map { "'\($0)'" }.joined(separator: " or "))"
        throw Failure(
          .badCommandLine, "--input: there is no capture or midi-in node '\(file.node.shortened())'\(there)")
      }
      guard !inputs[..<index].contains(where: { $0.node == file.node }) else {
        throw Failure(
          .badCommandLine, "--input: '\(file.node)' has a file already; expected one for each node")
      }
    }
  }

  private static func session(
    of manifest: ResolvedManifest, _ file: String, _ options: RenderCommand, _ rate: Int
  ) throws -> Session {
    var changes = Session.Options()
    changes.takesFolder = options.takes.takes
    changes.watchesOutputs = false
    changes.records = !options.takes.noRecord
    changes.allowsTakesOutside = options.takes.allowOutside
    let block = options.block ?? manifest.usualBlockLength
    do throws(EngineError) {
      return try Session(manifest, on: .offline(sampleRate: Double(rate), longestBlock: block), changes)
    } catch {
      throw Failure(error, in: manifest, file: file)
    }
  }

  /// Returns the requested range; nil for everything.
  private static func range(
    _ options: RenderCommand, _ rate: Double, _ tempo: TempoMap?, _ end: MediaTime?
  ) throws -> Range<MediaTime>? {
    if let seconds = options.seconds { return try Range(from: .zero, to: MediaTime(seconds: seconds.value)) }
    // Bars are those of the timeline; without a tempo, 120 quarter notes a minute. The export rejects a range that
    // begins after the end.
    return try options.range?.range(at: rate, tempo: tempo ?? TempoMap(), end: end ?? .zero)
  }

  private func warn(of manifest: ResolvedManifest, _ options: RenderCommand) {
    let block = options.block ?? manifest.usualBlockLength
    for note in manifest.blockLengthNotes {
      console.note("\(note); here they have \(Digits.count(block, "frame")), live as many as JACK's period")
    }
    for node in manifest.nodes where !options.input.contains(where: { $0.node == node.name }) {
      switch node.kind {
      case .capture:
        console.warning(
          "'\(node.name)' receives silence; give it a file, as in --input \(node.name)=voice.wav")
      case .midiIn:
        console.warning(
          "'\(node.name)' receives no MIDI events; give it a file, as in --input \(node.name)=song.mid")
      default: break
      }
    }
  }

  /// Renders everything and prints the result.
  ///
  /// - Throws: A ``Failure``; then no files exist but takes.
  func run() throws {
    var display = LiveDisplay(console)
    let start = SystemClock.now
    // A dispatch source receives ^C even while an encoder blocks and reports no progress.
    let watch = DispatchSource.makeReadSource(fileDescriptor: stopSignal.descriptor, queue: .global())
    watch.setEventHandler { [stopSignal, export] in
      if stopSignal.requests().contains(.end) { export.cancel() }
    }
    watch.activate()
    defer { watch.cancel() }
    var last = ExportSession.Progress(done: .zero, total: .zero, elapsed: .zero)
    var files: [ExportFile.Report] = [], isInterrupted = false
    do throws(ExportError) {
      files = try export.run { progress in
        last = progress
        let time = SystemClock.now - start
        guard display.isDue(at: time) else { return }
        display.draw(
          at: time, screen: { columns, _ in progress.screen(columns: columns, style: console.style) },
          line: { progress.line })
      }
      display.clear()
      if !display.canRedraw { console.note(last.line) }
    } catch {
      display.clear()
      guard case .cancelled = error else {
        _ = session.recorder.finish()
        throw Failure(error)
      }
      isInterrupted = true
    }
    try report(files, session.recorder.finish())
    guard isInterrupted else { return }
    console.warning(
      "interrupted at \(Digits.clock(last.done.seconds)) of \(Digits.clock(last.total.seconds)); no file was written"
    )
    throw Failure.silent(.interrupted)
  }

  private func report(_ files: [ExportFile.Report], _ takes: [TakeReport]) throws {
    // For example a muted playback node, whose file is silent from there on.
    let events = eventQueue.take()
    for event in events {
      guard let text = EventText.line(event), text.weight != .detail, text.weight != .note else { continue }
      text.print(console)
    }
    EventText.badInput(in: events)?.print(console)
    for file in files where !file.lostTags.isEmpty {
      console.warning("'\(file.path)' cannot store: \(file.lostTags.joined(separator: ", "))")
    }
    for file in files { if let warning = warning(about: file) { console.warning(warning) } }
    for take in takes { if let failure = Advice.text(take) { console.error(failure) } }
    let isIncomplete = takes.contains { !$0.isClean } || events.contains(where: \.losesSound)
    try Results().print(before: isIncomplete ? .silent(.incomplete) : nil) { results in
      for line in FileSummary.text(files.map(FileSummary.init) + takes.map { FileSummary($0) }) {
        try results.line(line)
      }
      for file in files {
        if let picture = file.picture { try results.line("\(file.path): \(picture.description)") }
      }
    }
  }

  /// Returns a warning if a file does not have the requested loudness; nil otherwise.
  private func warning(about file: ExportFile.Report) -> String? {
    guard let target = export.options.loudness, let loudness = file.loudness else { return nil }
    guard loudness.isFinite else { return "'\(file.path)' is too short or too soft to have a loudness" }
    guard !stems.contains(file.path), abs(loudness - target.loudness) > 0.1 else { return nil }
    return "'\(file.path)' cannot be \(Digits.short(target.loudness)) LUFS with a true peak of "
      + "\(Digits.short(target.truePeak)) dBTP: it is \(Digits.fixed(loudness, 1)) LUFS"
  }
}

extension ResolvedManifest {
  /// The default block length of a render. Some plugins sound different with long blocks, so graphs with plugins get
  /// a length that is common in JACK.
  fileprivate var usualBlockLength: Int {
    let hasPlugins = nodes.contains { if case .plugin = $0.kind { true } else { false } }
    return blockLength ?? (hasPlugins ? 256 : 4096)
  }
}
