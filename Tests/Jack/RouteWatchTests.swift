// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletJack

@Suite struct RouteWatchTests {
  private static let card: Set = ["card:left", "card:right"]

  /// Returns a route from a stereo node to these ports, of which the physical ones have a latency.
  private static func route(to ports: String..., latency: Int = 256, period: Int = 256) -> Route {
    var route = Route()
    route.outputs = ports.enumerated().map { channel, name in
      let isPhysical = !name.hasPrefix("mixer")
      return .init("desk", channel: channel, .init(name, isPhysical: isPhysical, latency: latency...latency))
    }
    route.period = period
    return route
  }

  @Test func `without a change nothing is reported`() {
    let route = Self.route(to: "card:left", "card:right")
    var watch = RouteWatch(route, sockets: Self.card)
    #expect(watch.update(route, sockets: Self.card) == [])
  }

  @Test func `removed and added physical ports are reported with both routes`() {
    let both = Self.route(to: "card:left", "card:right"), none = Route()
    var watch = RouteWatch(both, sockets: Self.card)
    let lost = watch.update(none, sockets: [])
    #expect(lost == [RouteChange(.oldDeviceUnavailable, from: both, to: none)])
    #expect(lost.first?.losesOutput == true)
    let found = watch.update(both, sockets: Self.card)
    #expect(found == [RouteChange(.newDeviceAvailable, from: none, to: both)])
    #expect(found.first?.losesOutput == false)
  }

  @Test func `a node with another port to play to reports no lost route`() {
    let card = Self.route(to: "card:left"), phones = Self.route(to: "phones:left")
    var watch = RouteWatch(phones, sockets: ["card:left", "phones:left"])
    let lost = watch.update(card, sockets: ["card:left"], nodesWithAlternatives: ["desk"])
    #expect(
      lost == [RouteChange(.oldDeviceUnavailable, from: phones, to: card, nodesWithAlternatives: ["desk"])])
    #expect(lost.first?.losesOutput == false)
    // Another node's alternative does not help.
    #expect(
      RouteChange(.oldDeviceUnavailable, from: phones, to: card, nodesWithAlternatives: ["cue"]).losesOutput)
  }

  @Test func `an output counts as lost only if no alternative replaces it`() {
    var before = Self.route(to: "usb:left", "card:left", "mixer:in"), after = Route()
    before.outputs.append(.init("cue", channel: 0, .init("hdmi:left")))
    after.outputs = [.init("cue", channel: 0, .init("card:left"))]
    let change = RouteChange(.oldDeviceUnavailable, from: before, to: after, nodesWithAlternatives: ["cue"])
    #expect(change.lostOutputs == ["usb:left"])
    #expect(RouteChange(.override, from: before, to: after).lostOutputs == [])
  }

  @Test func `a route counts each physical port once, and has the longest latency`() {
    var route = Self.route(to: "card:left", "card:left", "mixer:in", latency: 300)
    route.outputs.append(.init("desk", channel: 0, .init("card:right", latency: 64...700)))
    route.outputs.append(.init("keys", channel: 0, .init("card:midi", content: .midi, latency: 9000...9000)))
    #expect(route.outputChannels == 2 && route.outputLatency == 700)
    #expect(route.inputChannels == 0 && route.inputLatency == 0)
  }

  @Test func `a removed port without a connection is reported, but no lost route`() {
    let left = Self.route(to: "card:left")
    var watch = RouteWatch(left, sockets: Self.card)
    let lost = watch.update(left, sockets: ["card:left"])
    #expect(lost.map(\.reason) == [.oldDeviceUnavailable])
    #expect(lost.first?.losesOutput == false)
  }

  @Test func `manual changes are distinguished from the session's and from other programs'`() {
    let before = Self.route(to: "card:left"), after = Self.route(to: "mixer:in")
    var watch = RouteWatch(before, sockets: Self.card)
    watch.notePatched()
    #expect(watch.update(after, sockets: Self.card) == [RouteChange(.override, from: before, to: after)])
    watch.noteOwnPorts()
    #expect(watch.update(before, sockets: Self.card).map(\.reason) == [.categoryChange])
    #expect(watch.update(after, sockets: Self.card).map(\.reason) == [.unknown])
    // A manual change without effect is discarded.
    watch.notePatched()
    #expect(watch.update(after, sockets: Self.card) == [])
    #expect(watch.update(before, sockets: Self.card).map(\.reason) == [.unknown])
  }

  @Test func `a new period or latency with the same connections is a configuration change`() {
    let before = Self.route(to: "card:left")
    var watch = RouteWatch(before, sockets: Self.card)
    let shorter = Self.route(to: "card:left", period: 64)
    #expect(watch.update(shorter, sockets: Self.card).map(\.reason) == [.configurationChange])
    let later = Self.route(to: "card:left", latency: 512, period: 64)
    #expect(
      watch.update(later, sockets: Self.card) == [RouteChange(.configurationChange, from: shorter, to: later)]
    )
  }

  @Test func `simultaneous changes are reported one by one`() {
    let before = Self.route(to: "card:left"), after = Self.route(to: "box:left")
    var watch = RouteWatch(before, sockets: ["card:left"])
    watch.notePatched()
    #expect(
      watch.update(after, sockets: ["box:left"]).map(\.reason) == [
        .oldDeviceUnavailable, .newDeviceAvailable, .override,
      ])
  }
}
