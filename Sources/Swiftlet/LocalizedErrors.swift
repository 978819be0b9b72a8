// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Foundation
public import SwiftletFiles
public import SwiftletGraph
public import SwiftletJack
public import SwiftletLV2
public import SwiftletSignal
public import SwiftletTimeline

// `localizedDescription` of every error says what its description says.

extension EngineError: LocalizedError { public var errorDescription: String? { description } }
extension ExportError: LocalizedError { public var errorDescription: String? { description } }
extension ScheduleError: LocalizedError { public var errorDescription: String? { description } }
extension SessionError: LocalizedError { public var errorDescription: String? { description } }
extension FileError: LocalizedError { public var errorDescription: String? { description } }
extension GraphError: LocalizedError { public var errorDescription: String? { description } }
extension JackError: LocalizedError { public var errorDescription: String? { description } }
extension PluginError: LocalizedError { public var errorDescription: String? { description } }
extension AutomationError: LocalizedError { public var errorDescription: String? { description } }
extension CompositionError: LocalizedError { public var errorDescription: String? { description } }
extension TimeError: LocalizedError { public var errorDescription: String? { description } }
extension UnitError: LocalizedError { public var errorDescription: String? { description } }
extension UnitError.FileFault: LocalizedError { public var errorDescription: String? { description } }
