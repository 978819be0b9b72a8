// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import Swiftlet
@testable import SwiftletGraph

@Suite struct LoadWatchTests {
  private let period = 0.001

  /// Returns the overloads found in cycles with these shares of their period, sampled every 5 ms.
  private func findings(_ shares: [Double], in watch: inout LoadWatch, from number: Int = 0) -> [Double] {
    shares.enumerated().compactMap { index, share in
      let cycle = CycleCost(number: number + index, seconds: share * period, period: period)
      guard case .overload(let found) = watch.examine(cycle, after: 0.005) else { return nil }
      return found
    }
  }

  @Test func `an overload is found within half a second, and reported once`() {
    var watch = LoadWatch()
    let found = findings(Array(repeating: 3, count: 100), in: &watch)
    #expect(found == [3])
    #expect(abs(watch.load - 3) < 1e-9)
  }

  @Test func `one interrupted cycle in three is no overload`() {
    var watch = LoadWatch()
    let found = findings((0..<300).map { $0 % 3 == 0 ? 20 : 0.4 }, in: &watch)
    #expect(found.isEmpty)
  }

  @Test func `an overload is reported again once the load has fallen`() {
    var watch = LoadWatch()
    let first = findings(Array(repeating: 1.5, count: 100), in: &watch)
    #expect(first.count == 1)
    let calmer = findings(Array(repeating: 0.9, count: 100), in: &watch, from: 100)
    #expect(calmer.isEmpty)
    let again = findings(Array(repeating: 1.5, count: 100), in: &watch, from: 200)
    #expect(again.isEmpty)
    let relieved = findings(Array(repeating: 0.5, count: 100), in: &watch, from: 300)
    #expect(relieved.isEmpty)
    let anew = findings(Array(repeating: 1.5, count: 100), in: &watch, from: 400)
    #expect(anew.count == 1)
  }

  @Test func `a cycle counts once, however often it is sampled`() {
    var watch = LoadWatch()
    let cycle = CycleCost(number: 7, seconds: 5 * period, period: period)
    for _ in 0..<200 {
      let finding = watch.examine(cycle, after: 0.005)
      #expect(finding == .none)
    }
  }

  @Test func `three cycles of 100 ms each are an overload`() {
    var watch = LoadWatch()
    let found = findings([100, 100, 100], in: &watch)
    #expect(found == [100])
  }

  @Test(arguments: [(256, 10.0), (1024, 1.5), (2048, 1.5)])
  func `an overload that follows a low load is found within half a second`(frames: Int, share: Double) {
    let period = Double(frames) / 48_000, tick = 0.005
    var watch = LoadWatch(), time = 0.0, found: Double?
    // One second at 40 %, then an overload.
    while found == nil, time < 3 {
      time += tick
      let overload = max(0, time - 1)
      let calm = Int(min(time, 1) / period), number = calm + Int(overload / (share * period))
      let seconds = number > calm ? share * period : 0.4 * period
      let cycle = CycleCost(number: number, seconds: seconds, period: period)
      if case .overload = watch.examine(cycle, after: tick) { found = time - 1 }
    }
    #expect(found.map { $0 < 0.5 } == true, "\(found ?? -1) s")
  }
}
