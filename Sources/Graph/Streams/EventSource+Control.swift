// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Orders to a source, and its status. Any thread but the audio thread.
extension EventSource {
  /// Plays on from its place, or from the beginning once it has ended.
  ///
  /// - Parameter frame: the absolute frame to begin at, while it stands still; nil or a passed one is at once.
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

  /// Releases all keys and stands still.
  package func pause() { orders.give { $0.plays = false } }

  /// Goes to a frame of the song, counted through all turns: its keys are released, and the values that hold there sent.
  package func seek(to frame: Int64) {
    orders.give { order in
      order.place = Double(min(max(frame, 0), 1 << 60))
      order.number += 1
    }
  }

  /// Has it play at the transport's position while that rolls, or on its own from its place.
  package func follow(_ isOn: Bool) { orders.give { $0.followsTransport = isOn } }

  /// Whether it plays at the transport's position.
  package var isFollowing: Bool { orders.latest.followsTransport }

  /// How fast it plays: 2 is twice as fast. A rate outside ``rates`` is clamped; one that is not a number changes nothing.
  package var rate: Double {
    get { orders.latest.rate }
    set {
      guard !newValue.isNaN else { return }
      orders.give { $0.rate = min(max(newValue, Self.rates.lowerBound), Self.rates.upperBound) }
    }
  }

  /// The channels whose notes are not sent, a bit for each. Keys that they hold down are released.
  package var mutes: UInt16 {
    get { orders.latest.mutes }
    set { orders.give { $0.mutes = newValue } }
  }

  /// Whether it is to play, and has not come to its end.
  package var isPlaying: Bool { orders.latest.plays && !hasEnded }

  private var hasEnded: Bool {
    let status = statuses.latest()
    return status.isOver && status.reached == orders.latest.number
  }

  /// The next frame of the song, counted through all turns; past the last turn, its end.
  package var position: Int64 {
    let status = statuses.latest(), order = orders.latest
    let place = Int64(status.reached == order.number ? status.place : order.place)
    return min(max(place, 0), wholeLength ?? .max)
  }

  /// How many frames all turns have; nil for a song that plays for ever.
  package var wholeLength: Int64? {
    times.map { times in
      let (frames, isTooLong) = length.multipliedReportingOverflow(by: Int64(times))
      return isTooLong ? .max : frames
    }
  }
}
