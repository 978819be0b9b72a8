// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletGraph
import SwiftletManifest
import Testing

@testable import SwiftletCommand

@Suite struct BudgetReportTests {
  private func report(_ median: Double, _ high: Double, _ nodes: KeyValuePairs<String, Double> = [:])
    -> BudgetReport
  {
    BudgetReport(
      file: "vocal.yaml", rate: 44_100, period: 64,
      estimate: LoadEstimate(
        load: CycleLoad(cycleCount: 1000, median: median, high: high),
        nodes: nodes.map { EngineEvent.NodeLoad(node: $0.key, share: $0.value) }))
  }

  @Test func `a load below the limit is one line with the nodes that need 5 % or more`() {
    let report = report(0.1234, 0.151, ["hall": 0.081, "room": 0.0501, "gate": 0.004])
    #expect(
      report.line.written
        == "vocal.yaml: load at 64 frames and 44.1 kHz: 12.3 % of the period in the median cycle, more than 15.1 % in "
        + "one of twenty; most of it goes to 'hall' (8.1 % of the period), 'room' (5.0 % of the period)")
    #expect(report.warning == nil)
    #expect(!self.report(0.7, 0.7).isTooMuch)
  }

  @Test func `a load above 70 % is a warning with three nodes and a remedy`() {
    let report = report(0.81, 0.95, ["a": 0.01, "b": 0.009, "c": 0.008, "d": 0.007])
    #expect(
      report.warning?.description
        == "vocal.yaml: warning: a cycle takes 81 % of the period at 64 frames and 44.1 kHz, and more than 70 % is not "
        + "safe: sound may be lost; most of it goes to 'a' (1.0 % of the period), 'b' (0.9 % of the period), "
        + "'c' (0.8 % of the period); choose a longer period, or remove or bypass nodes")
    #expect(!report.line.written.contains("most of it"))
  }

  @Test func `a load above 100 % of the period is a warning that sound will be lost`() {
    #expect(report(1.31, 1.4).warning?.message.contains("takes 131 % of the period") == true)
    #expect(report(1.31, 1.4).warning?.message.contains("sound will be lost; choose") == true)
  }

  @Test func `a slow cycle in twenty is enough for a warning`() {
    #expect(
      report(0.3, 0.9).warning?.message.hasPrefix("one cycle of twenty takes more than 90 % of the period")
        == true)
  }

  @Test func `the JSON report has all values, as shares of the period`() {
    #expect(
      report(0.81, 0.95, ["a": 0.5]).json.text()
        .split(whereSeparator: \.isWhitespace).joined()
        == #"{"file":"vocal.yaml","sampleRate":44100,"period":64,"load":0.81,"highLoad":0.95,"cycles":1000,"#
        + #""isTooMuch":true,"nodes":[{"name":"a","load":0.5}]}"#)
  }
}
