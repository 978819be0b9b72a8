// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Re-exported for programs whose tests need a JACK server: `AudioEngine(client: "ear", server: server.name)`.
@_exported public import class SwiftletJack.DummyServer
