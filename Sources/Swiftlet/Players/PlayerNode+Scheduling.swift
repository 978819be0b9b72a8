// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletTimeline
internal import Synchronization

extension PlayerNode {
  /// Schedules a file or a buffer, or a part of it.
  ///
  /// - Parameters:
  ///   - content: the sound, its part and its loop: `.file("bed.flac", loop: .forever)`.
  ///   - time: when the item begins; default: when the items scheduled before have ended.
  ///   - entrance: how the item relates to the items scheduled before. Default: with a time and without a crossfade,
  ///     it overlaps them; otherwise it waits for them.
  ///   - crossfade: the duration for which the item and the one before it sound together, at equal power; 0 or more;
  ///     default: 0. It is shortened to the rest of the item before. An item that overlaps has none.
  ///   - onEvent: called with each of the item's events; see ``PlayerEvent``.
  /// - Throws: ``EngineError/file(_:)``, ``EngineError/schedule(node:_:)``, ``EngineError/notAttached(_:)``.
  @discardableResult
  public func schedule(
    _ content: PlayerItem.Content, at time: PlayerItem.Time? = nil, entrance: PlayerItem.Entrance? = nil,
    crossfade: Duration = .zero, onEvent: (@Sendable (PlayerEvent) -> Void)? = nil
  ) throws(EngineError) -> PlayerItem {
    switch content {
    case .file(let file, let part, let loop):
      return try add(.file(try file.enginePath), part, time, loop, entrance, crossfade, onEvent)
    case .buffer(let buffer, let sampleRate, let part, let loop):
      let kept = KeptSound(
        buffer.channels, from: sampleRate ?? buffer.rate(on: engine), to: engine.sampleRate)
      guard let kept else { throw .schedule(node: node.name, .badBuffer) }
      return try add(.memory(kept), part, time, loop, entrance, crossfade, onEvent)
    }
  }

  /// Schedules a sound, which begins at a frame of the item.
  ///
  /// - Parameters:
  ///   - opened: the sound, if it is open already.
  ///   - position: the frame of the item to begin with; default: 0.
  func add(
    _ sound: ClipSound, opened: ReusableSound? = nil, _ part: PlayerItem.Part, _ time: PlayerItem.Time?,
    _ loop: PlayerItem.Loop,
    _ entrance: PlayerItem.Entrance?, _ crossfade: Duration, from position: Int = 0,
    _ onEvent: (@Sendable (PlayerEvent) -> Void)?
  ) throws(EngineError) -> PlayerItem {
    _ = try attachedPlayer()
    let (kept, extent) = try inspect(sound, opened)
    var item = PlayerSchedule.Item(
      sound: sound, opened: kept, layout: try checked(extent, part, loop), loop: loop,
      start: try start(at: time),
      entrance: ClipEntrance(entrance ?? (time != nil && crossfade <= .zero ? .overlaps : .waits)),
      crossfade: Int(clamping: max(crossfade.frames(at: engine.sampleRate), 0)), onEvent: onEvent)
    item.position = min(max(position, 0), item.layout.length ?? position)
    let number: Int?
    do throws(ScheduleError) { number = try scheduler.add(item) } catch {
      throw .schedule(node: node.name, error)
    }
    guard let number else { throw .notAttached(node.name) }
    return PlayerItem(number: number)
  }

  /// Whether an item has not ended.
  func isScheduled(_ item: PlayerItem) -> Bool { scheduler.entry(of: item.number) != nil }

  /// Returns the frame of its sound that an item plays or begins with; nil once it has ended.
  func soundFrame(of item: PlayerItem) -> Int? { scheduler.soundFrame(of: item.number) }

  /// Throws if a sound cannot loop like this.
  func check(_ loop: PlayerItem.Loop, on extent: SoundExtent) throws(EngineError) {
    _ = try checked(extent, .whole, loop)
  }

  /// Changes the loop of an item that plays its whole sound. The item continues from its position.
  func change(
    _ item: PlayerItem, to loop: PlayerItem.Loop, on extent: SoundExtent
  ) throws(EngineError) {
    guard isScheduled(item) else { return }
    let layout = try checked(extent, .whole, loop)
    _ = try readingFile { () throws(FileError) in
      try scheduler.change(item.number, to: layout, loop, playing: nil)
    }
  }

  /// Replaces the sound of an item, which continues from its position.
  ///
  /// - Throws: ``ScheduleError/itemEnded``, and as ``schedule(_:at:entrance:crossfade:onEvent:)``. Then the item is
  ///   unchanged.
  func change(
    _ item: PlayerItem, to sound: ClipSound, _ part: PlayerItem.Part
  ) throws(EngineError) {
    guard let loop = scheduler.entry(of: item.number)?.loop else {
      throw .schedule(node: node.name, .itemEnded)
    }
    let (kept, extent) = try inspect(sound)
    let layout = try checked(extent, part, loop)
    let isChanged = try readingFile { () throws(FileError) in
      try scheduler.change(item.number, to: layout, loop, playing: (sound, kept))
    }
    // The item may have ended while the files were opened.
    guard isChanged else { throw .schedule(node: node.name, .itemEnded) }
  }

  /// Opens a sound unless it is open, and measures it.
  func inspect(
    _ sound: ClipSound, _ opened: ReusableSound? = nil
  ) throws(EngineError) -> (kept: ReusableSound, extent: SoundExtent) {
    try readingFile { () throws(FileError) in
      let open = if let known = opened?.take() { known } else { try engine.open(sound) }
      let extent = open.extent
      return (ReusableSound(open), extent)
    }
  }

  func checked(
    _ extent: SoundExtent, _ part: PlayerItem.Part, _ loop: PlayerItem.Loop
  ) throws(EngineError) -> ClipLayout {
    do throws(ScheduleError) {
      return try layout(extent, part, loop)
    } catch {
      throw .schedule(node: node.name, error)
    }
  }

  /// Converts a part and a loop to frames, and checks them against the sound.
  private func layout(
    _ extent: SoundExtent, _ part: PlayerItem.Part, _ loop: PlayerItem.Loop
  ) throws(ScheduleError) -> ClipLayout {
    try loop.times.check()
    let part = try frames(part, "part", of: extent)
    let points = try frames(loop.points, "loop", of: extent, or: part)
    guard points.lowerBound >= part.lowerBound, points.upperBound <= part.upperBound else {
      throw .loopOutside(part: time(part.lowerBound)..<time(part.upperBound))
    }
    let crossfade = Int(clamping: max(loop.crossfade.frames(at: engine.sampleRate), 0))
    guard crossfade <= points.count / 2 else {
      throw .crossfadeTooLong(asked: loop.crossfade, most: Duration(time(points.count / 2)))
    }
    return ClipLayout(part: part, loop: points, loops: loop.times, crossfade: crossfade)
  }

  private func frames(
    _ part: PlayerItem.Part, _ what: String, of extent: SoundExtent, or all: Range<Int>? = nil
  ) throws(ScheduleError) -> Range<Int> {
    let frames: Range<Int>, whole = 0..<extent.length
    switch part {
    case .whole: return all ?? whole
    case .sampleLoop:
      guard let loop = extent.sampleLoop else { throw .noSampleLoop }
      frames = loop
    case .frames(let range): frames = range
    case .times(let range):
      let rate = engine.sampleRate
      frames = Int(range.lowerBound.frames(at: rate))..<Int(range.upperBound.frames(at: rate))
    }
    guard frames.lowerBound >= 0 else { throw .beforeStart(what: what) }
    guard frames.upperBound <= whole.upperBound else {
      throw .pastEnd(what: what, end: time(frames.upperBound), length: time(whole.upperBound))
    }
    guard !frames.isEmpty else { throw .empty(what: what) }
    return frames
  }

  private func time(_ frames: Int) -> MediaTime { MediaTime(frames: Int64(frames), at: engine.sampleRate) }

  private func start(at time: PlayerItem.Time?) throws(EngineError) -> ClipStart {
    switch time {
    case nil: return .next
    case .frame(let frame): return .playerTime(frame)
    case .engine(let time):
      guard !followsTransport else { throw .schedule(node: node.name, .followsTransport) }
      return .frame(time.frame(at: engine.sampleRate))
    case .host(let instant):
      guard !followsTransport else { throw .schedule(node: node.name, .followsTransport) }
      return .frame(try frame(of: instant).frame)
    case .beat(let beat):
      guard beat.isFinite, beat >= 0 else { throw .schedule(node: node.name, .badBeat(beat)) }
      guard !followsTransport else { return .playerTime(try frame(ofBeat: beat)) }
      guard (scheduler as? PlayerSchedule)?.source.hasTempo == true else {
        throw .schedule(node: node.name, .noBeats)
      }
      return .beat(beat)
    }
  }

  /// Returns the transport frame of a beat. Throws unless the engine is the timebase source with a tempo.
  private func frame(ofBeat beat: Double) throws(EngineError) -> Int64 {
    guard let map = engine.transportRole.tempo else { throw .schedule(node: node.name, .noBeats) }
    do throws(TimeError) {
      return try map.time(of: beat * (map.timeSignatures.first?.timeSignature.beat ?? 1)).frames(
        at: engine.sampleRate)
    } catch {
      throw .schedule(node: node.name, .badBeat(beat))
    }
  }
}

extension ClipEntrance {
  init(_ entrance: PlayerItem.Entrance) {
    self =
      switch entrance {
      case .overlaps: .overlaps
      case .waits: .follows
      case .interrupts: .interrupts
      case .interruptsAtLoop: .interruptsAtLoop
      }
  }
}

extension Loops {
  /// The number of passes; nil for an endless loop.
  var count: Int? { if case .times(let count) = self { count } else { nil } }

  /// Throws if the number of passes is below 1.
  func check() throws(ScheduleError) {
    if case .times(let count) = self, count < 1 { throw .badLoopCount(count) }
  }
}
