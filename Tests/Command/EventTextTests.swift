// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Testing

@testable import SwiftletCommand

@Suite struct EventTextTests {
  @Test func `plugins' reactions to a new period are reported`() {
    func text(_ event: EngineEvent) -> String { EventText.line(event)?.line ?? "" }
    #expect(
      text(.pluginRefitted(node: "hall", period: 128, isNew: true))
        == "'hall' was replaced for JACK's period of 128 frames: its settings are kept, its tail is lost"
    )
    #expect(
      text(.pluginRefitted(node: "hall", period: 128, isNew: false))
        == "'hall' plays again, at JACK's period of 128 frames")
    let silent = EventText.line(
      .pluginSilent(node: "hall", period: 48, reason: "it requires more; choose 64"))
    #expect(silent?.line == "'hall' is silent while JACK's period is 48 frames: it requires more; choose 64")
    #expect(silent?.weight == .warning)
  }

  @Test func `a fault of a plugin's events is a detail with the plugin's URI`() {
    let line = EventText.line(
      .pluginFault(node: "drum", uri: "urn:test:drum", reason: "sent an event without a time stamp"))
    #expect(line?.line == "the plugin of 'drum', <urn:test:drum>, sent an event without a time stamp")
    #expect(line?.weight == .detail)
  }

  @Test func `an overload is an error with the needed time and the costliest nodes`() {
    let nodes = [
      EngineEvent.NodeLoad(node: "hall", share: 0.451), EngineEvent.NodeLoad(node: "room", share: 0.3),
      EngineEvent.NodeLoad(node: "gate", share: 0.0042),
    ]
    let line = EventText.line(.overloaded(share: 1.84, nodes: nodes))
    #expect(
      line?.line
        == "overload: the graph needs 1.8 times the period of JACK, so sound is lost or late; most of it goes to "
        + "'hall' (45 % of the period), 'room' (30 % of the period), 'gate' (0.4 % of the period); remove or bypass "
        + "nodes, or choose a longer period")
    #expect(line?.weight == .error)
    #expect(
      EventText.line(.overloaded(share: 68.7, nodes: []))?.line
        == "overload: the graph needs 69 times the period of JACK, so sound is lost or late; remove or bypass nodes, "
        + "or choose a longer period")
  }

  @Test func `an xrun names nodes only if the session's own cycle was too long`() {
    func line(_ share: Double, _ nodes: [String]) -> String? {
      EventText.line(.xrun(total: 3, share: share, slowest: nodes, microseconds: nodes.isEmpty ? 0 : 1249.6))?
        .line
    }
    #expect(
      line(0.452, [])
        == "xrun: another client or the system was late; the longest cycle took 45 % of the period")
    #expect(
      line(1.09, ["hall", "room"])
        == "xrun: the longest cycle took 109 % of the period, the longest part in 'hall', 'room': 1250 µs")
    #expect(line(2, []) == "xrun: the longest cycle took 200 % of the period")
  }

  @Test func `nodes that receive invalid samples yield one warning with a count`() {
    let what = "received invalid samples (NaN, infinite or far above full scale) and"
    func line(_ nodes: [String]) -> EventText.Line? {
      EventText.badInput(in: [.eventsLost(1)] + nodes.map { .badInput(node: $0) })
    }
    #expect(line([]) == nil && EventText.line(.badInput(node: "hall")) == nil)
    #expect(line(["hall"])?.line == "'hall' \(what) treats them as silence")
    #expect(line(["b", "a"])?.line == "2 nodes \(what) treat them as silence: 'a', 'b'")
    let many = line((100..<450).map { "n\($0)" })
    #expect(many?.line == "350 nodes \(what) treat them as silence: 'n100', 'n101', 'n102' and 347 more")
    #expect(many?.weight == .warning)
  }

  @Test func `requests of other sessions are reported`() {
    func text(_ event: EngineEvent) -> String { EventText.line(event)?.line ?? "" }
    #expect(text(.interruption(.began(.peer("a")))) == "'a' interrupts other sessions: players pause")
    #expect(
      text(.interruption(.began(.duckingPeer("a")))) == "'a' ducks other sessions: speech pauses")
    #expect(
      text(.interruption(.ended(.duckingPeer("a"), shouldResume: true)))
        == "the interruption by 'a' has ended: players continue")
  }

  @Test func `a lost and restored server and unplugged headphones are reported`() {
    func text(_ event: EngineEvent) -> String { EventText.line(event)?.line ?? "" }
    #expect(
      text(.interruption(.began(.serverShutdown("the JACK server has ended"))))
        == "the JACK server has ended: takes stay open, and playback continues when the server is back")
    #expect(
      text(.interruption(.began(.zombified(longestCycle: 3.5))))
        == "the JACK server removed this client as too slow (its longest cycle took 350 % of a period): "
        + "trying to reconnect"
    )
    #expect(
      text(.interruption(.ended(.serverShutdown(""), shouldResume: true)))
        == "back on the JACK server: playback continues at the same position")
    #expect(
      text(.interruption(.ended(.serverShutdown(""), shouldResume: false)))
        == "back on the JACK server, paused")
    #expect(
      text(.otherRate(server: 44_100, engine: 48_000))
        == "the JACK server is back, but at 44100 Hz: start it at 48000 Hz "
        + "to continue this session, or restart the session"
    )
    var before = Route()
    before.outputs = [.init("desk", channel: 0, .init("headphones:left"))]
    let change = RouteChange(.oldDeviceUnavailable, from: before, to: Route())
    #expect(
      text(.routeChange(change, paused: ["song"]))
        == "'song' paused: headphones:left was removed")
    #expect(EventText.line(.routeChange(change, paused: []))?.weight == .detail)
    var after = Route()
    after.outputs = [.init("desk", channel: 0, .init("system:playback_1"))]
    let other = RouteChange(.oldDeviceUnavailable, from: before, to: after, nodesWithAlternatives: ["desk"])
    #expect(text(.routeChange(other, paused: [])) == "'desk' is connected to system:playback_1 now")
    let same = RouteChange(.newDeviceAvailable, from: after, to: after, nodesWithAlternatives: ["desk"])
    #expect(EventText.line(.routeChange(same, paused: []))?.weight == .detail)
  }
}
