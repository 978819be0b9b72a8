// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Synchronization

/// An engine's reports of clamped or non-finite values, and its warnings.
final class ReportLog {
  private let observation: EventObservation
  private let list: Lines
  var lines: [String] { list.list.withLock { $0 } }

  private final class Lines: Sendable { let list = Mutex<[String]>([]) }

  init(_ engine: AudioEngine) {
    let list = Lines()
    self.list = list
    observation = engine.observe { event in
      switch event {
      case .clamped(let node, let parameter, let asked, let used):
        list.list.withLock { $0.append("\(node) \(parameter) \(asked) \(used)") }
      case .notANumber(let node, let parameter): list.list.withLock { $0.append("\(node) \(parameter)") }
      case .warning(let text): list.list.withLock { $0.append(text) }
      default: break
      }
    }
  }
}
