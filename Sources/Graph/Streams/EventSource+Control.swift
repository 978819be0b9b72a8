// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Requests to a source, and its status. Any thread except the audio thread.
extension EventSource {
  /// Starts or resumes playback; a source that has ended starts at the beginning.
  ///
  /// - Parameter frame: the absolute frame at which a stopped source begins; nil or a past frame means immediately.
  package func play(at frame: Int64? = nil) {
    let hasEnded = hasEnded
    orders.give { order in
      if hasEnded {
        order.place = 0
        order.number += 1
      }
      order.start = frame
      order.plays = true
    }
  }

  /// Releases all held notes and stops.
  package func pause() { orders.give { $0.plays = false } }

  /// Seeks to a frame of the sequence, counted through all repetitions: releases held notes and sends the controller
  /// values that apply there (MIDI chase).
  package func seek(to frame: Int64) {
    orders.give { order in
      order.place = Double(min(max(frame, 0), 1 << 60))
      order.number += 1
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

  /// Whether the source was asked to play and has not ended.
  package var isPlaying: Bool { orders.latest.plays && !hasEnded }

  private var hasEnded: Bool {
    let status = statuses.latest()
    return status.isOver && status.reached == orders.latest.number
  }

  /// The next frame of the sequence, counted through all repetitions; after the last repetition, the end.
  package var position: Int64 {
    let status = statuses.latest(), order = orders.latest
    let place = Int64(status.reached == order.number ? status.place : order.place)
    return min(max(place, 0), wholeLength ?? .max)
  }

  /// The length of all repetitions in frames; nil if the sequence repeats endlessly.
  package var wholeLength: Int64? {
    times.map { times in
      let (frames, isTooLong) = length.multipliedReportingOverflow(by: Int64(times))
      return isTooLong ? .max : frames
    }
  }
}
