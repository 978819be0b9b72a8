// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

extension StreamSource {
  /// Seeks to a frame of the file, counted at the engine's rate. A playing source fades out first. Control threads
  /// only.
  ///
  /// The prefetch thread performs the seek: playback resumes with the frames that it has then put into the ring.
  ///
  /// - Parameter frame: the target, clamped to the beginning and end of the file.
  package func seek(to frame: Int) { handover.seek(to: .frame(StreamGoal.possible(Int64(frame)))) }

  /// The loop range of the timeline; the prefetch thread reads the sound in loop order. Control threads only.
  package var loop: TimelineLoop? { control.withLock(\.loop) }

  /// The absolute frame at which playback is expected to begin; nil means immediately. Control threads only.
  package var aim: Int64? {
    get { control.withLock(\.aim) }
    set { control.withLock { $0.aim = newValue.map(StreamGoal.reachable) } }
  }

  /// The automation lanes of speed, varispeed and pitch; nil if none is automated. Control threads only.
  package var lanes: Lanes? {
    get { control.withLock(\.lanes) }
    set {
      let parameters: [(Parameter, Bool)] = [
        (.speed, newValue?.speed != nil), (.varispeed, newValue?.varispeed != nil),
        (.pitch, newValue?.pitch != nil),
      ]
      control.withLock { $0.lanes = newValue }
      automatedParameters.store(
        parameters.reduce(0) { $0 | ($1.1 ? 1 << $1.0.rawValue : 0) }, ordering: .relaxed)
    }
  }

  /// Updates the engine's current position: the next frame, and the corresponding timeline frame. Called regularly,
  /// on control threads.
  package func keepTime(_ frame: Int64, timeline: Int64) {
    control.withLock { ($0.engineFrame, $0.engineShift) = (frame, timeline &- frame) }
  }
}

/// The source's status. Any thread except the audio thread may read it.
extension StreamSource {
  /// Whether the stream has been played to its end.
  package var hasEnded: Bool {
    // The status must be read before the filling: a status never refers to a later filling than the one read next.
    let status = statuses.latest()
    return status.hasEnded && status.filling == fillings.latest().number
  }

  /// Whether the player is playing this source, or has been asked to.
  package var isAwaited: Bool { isRead || control.withLock(\.plays) && !hasEnded }

  /// The position in the file, in frames at the engine's rate. While the speed changes it is accurate to a few
  /// hundredths of a second, and exact again afterwards. In a loop it keeps counting up.
  package var position: Int {
    let status = statuses.latest(), filling = fillings.latest()
    return status.filling == filling.number ? status.position : filling.frame
  }

  /// The number of underruns, and the total frames of silence that they caused.
  package var underruns: (count: Int, frames: Int) {
    let status = statuses.latest()
    return (status.underruns, status.missedFrames)
  }

  /// The next timeline frame to be played; nil if the ring's content does not belong to the timeline.
  package var timelinePosition: Int64? { timelineShiftOfRing.map { Int64(ring.readPosition) + $0 } }

  /// The timeline frame minus the ring frame; nil if the ring's content does not belong to the timeline.
  package var timelineShiftOfRing: Int64? {
    let status = statuses.latest(), filling = fillings.latest()
    return status.detachedFilling == filling.number ? nil : filling.timelineShift
  }

  /// The absolute frame minus the ring frame while the source plays; nil while it is stopped.
  package var shiftOfRing: Int64? { statuses.latest().ringShift }

  /// The number of times that reading has restarted at another frame of the file, and the frame of the latest restart.
  package var lastBeginning: (count: Int, frame: Int) {
    let filling = fillings.latest()
    return (filling.number, filling.frame)
  }

  /// The playback rate that is heard, in file frames per output frame, as of the latest published status.
  package var playbackRate: Double { statuses.latest().pace }

  /// The requested playback rate, in file frames per output frame.
  package var requestedPlaybackRate: Double { Double(bitPattern: asked.load(ordering: .relaxed)) }

  /// Whether the audio thread holds the ring's reading side.
  package var isRead: Bool { handover.isRead }

  /// Whether the source follows the transport's position.
  package var isFollowing: Bool { control.withLock(\.isFollowing) }
}
