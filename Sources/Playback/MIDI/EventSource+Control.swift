// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// Requests to a source, and its status. Any thread except the audio thread.
extension EventSource {
  /// Starts or resumes playback; a source that has ended starts at the beginning.
  ///
  /// - Parameter frame: the absolute frame at which a stopped source begins; nil or a past frame means immediately.
  package func play(at frame: Int64? = nil) {
    orders.give { order in
      if isAtEnd(order) {
        order.position = 0
        order.seeks += 1
      }
      order.start = frame
      order.number += 1
      order.plays = true
    }
  }

  /// Releases all held notes and stops.
  package func pause() { orders.give { ($0.plays, $0.paused) = (false, $0.number) } }

  /// Sets the number of passes, nil for an endless loop; the current pass becomes the first. After its end, the player
  /// returns to the start of the sequence and does not play.
  package func loop(_ times: Int?) {
    orders.give { order in
      let hasEnded = isAtEnd(order), pass = pass(of: order.position, order.times)
      order.position = hasEnded ? 0 : order.position - Double(pass) * Double(length)
      if hasEnded { order.seeks += 1 }
      order.times = times.map { max($0, 1) }
      order.loops += 1
    }
  }

  /// Returns whether the sequence has ended, with no seek since.
  private func isAtEnd(_ order: Order) -> Bool {
    let status = statuses.latest()
    return status.hasEnded && status.reached == order.seeks
  }

  /// Seeks to a frame of the sequence, counted through all repetitions: releases held notes and sends the controller
  /// values that apply there (MIDI chase).
  package func seek(to frame: Int64) {
    orders.give { order in
      let end = order.times.map { Double($0) * Double(length) } ?? 0x1p60
      order.position = min(Double(min(max(frame, 0), 1 << 60)), end)
      order.seeks += 1
    }
  }

  /// Sets whether the source plays at the transport's position while the transport rolls, or independently from its
  /// own position.
  package func follow(_ isOn: Bool) { orders.give { $0.followsTransport = isOn } }

  /// Whether the source plays at the transport's position.
  package var isFollowing: Bool { orders.latest.followsTransport }

  /// The playback rate as a factor: 2 is twice as fast. A rate outside ``rates`` is clamped; NaN is ignored.
  package var rate: Double {
    get { orders.latest.rate }
    set {
      guard !newValue.isNaN else { return }
      orders.give { $0.rate = min(max(newValue, Self.rates.lowerBound), Self.rates.upperBound) }
    }
  }

  /// The channels whose notes are not sent, one bit each. Muting a channel releases its held notes.
  package var mutes: UInt16 {
    get { orders.latest.mutes }
    set { orders.give { $0.mutes = newValue } }
  }

  /// Whether the latest order is to play and the end has not been reached since.
  package var isPlayRequested: Bool { orders.latest.plays && !isFulfilled }

  /// Whether the sequence plays, or will play from a frame that was set. A follower of the transport plays while the
  /// transport rolls, until the end of the sequence.
  package var isPlaying: Bool {
    guard isFollowing else { return isPlayRequested }
    return orders.latest.plays && statuses.latest().isRolling && wholeLength.map { position < $0 } ?? true
  }

  private var isFulfilled: Bool {
    let order = orders.latest
    return order.number > 0 && statuses.latest().fulfilled == order.number
  }

  /// The next frame of the sequence, counted through all repetitions; after the last repetition, the end.
  package var position: Int {
    let status = statuses.latest(), order = orders.latest
    var position = status.reached == order.seeks ? status.position : order.position
    if status.looped != order.loops, status.reached == order.seeks {
      position -= Double(pass(of: position, status.times)) * Double(length)
    }
    return min(max(Int(position), 0), wholeLength ?? .max)
  }

  /// The length of all repetitions in frames; nil if the sequence repeats endlessly.
  package var wholeLength: Int? {
    orders.latest.times.map { times in
      let (frames, isTooLong) = Int(length).multipliedReportingOverflow(by: times)
      return isTooLong ? .max : frames
    }
  }
}
