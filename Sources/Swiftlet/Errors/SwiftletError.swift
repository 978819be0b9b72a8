// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Foundation
public import SwiftletFiles
public import SwiftletGraph
public import SwiftletJack
public import SwiftletLV2
public import SwiftletSignal
public import SwiftletTimeline

/// The protocol of every error of Swiftlet. Its `description`, and Foundation's `localizedDescription`, is a sentence
/// that states what failed, where, why and what to do.
public protocol SwiftletError: LocalizedError, CustomStringConvertible, Sendable {}

extension SwiftletError {
  /// The description, for Foundation.
  public var errorDescription: String? { description }
}

extension EngineError: SwiftletError {}
extension ExportError: SwiftletError {}
extension ScheduleError: SwiftletError {}
extension SessionError: SwiftletError {}
extension FileError: SwiftletError {}
extension FormatError: SwiftletError {}
extension GraphError: SwiftletError {}
extension JackError: SwiftletError {}
extension PluginError: SwiftletError {}
extension AutomationError: SwiftletError {}
extension CompositionError: SwiftletError {}
extension TimeError: SwiftletError {}
extension EffectError: SwiftletError {}
extension EffectError.FileFault: SwiftletError {}
