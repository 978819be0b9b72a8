// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletControl

extension FuzzTarget {
  /// Commands of other programs to a session, and the answers of sessions.
  static let control = FuzzTarget(
    name: "control",
    format: .text(
      [
        "\"command\"", "\"set\"", "\"address\"", "\"addresses\"", "\"value\"", "\"over\"", "\"rate\"",
        "\"node\"",
        "\"watch\"", "\"bypass\"", "\"error\"", "\"kind\"", "1e999", "-1e308", "9223372036854775808",
      ], brackets: [(open: "[", close: "]"), (open: #"{"a":"#, close: "}")]),
    seeds: {
      [
        ControlRequest(.set("echo.time", .text("350 ms"), over: .seconds(1)), id: 1).line,
        ControlRequest(.watch(ControlSubscription(addresses: ["echo"], rate: 30))).line,
        ControlRequest(.bypass("echo", true)).line,
        ControlReply(ControlError(.badValue, "a"), id: 2).line,
      ].map { $0.dropLast() }
    },
    feed: { bytes in
      let reply = ControlReply(line: bytes)
      guard let request = try? ControlRequest(line: bytes), let command = try? request.read() else {
        return reply != nil
      }
      if case .set(_, _, let duration?) = command { precondition(.zero ... .seconds(3600) ~= duration) }
      if case .watch(let watched) = command { precondition(ControlSubscription.rates ~= watched.rate) }
      _ = ControlRequest(command).line
      return true
    },
    plantedFault: { bytes in
      // A conversion of the duration to whole nanoseconds, without a check of its range.
      struct Glide: Decodable { var over: Double }
      guard (try? ControlRequest(line: bytes)) != nil,
        let glide = try? JSONDecoder().decode(Glide.self, from: Data(bytes))
      else { return }
      _ = Int64(glide.over * 1e9)
    })
}
