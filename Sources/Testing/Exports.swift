// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// A JACK server for tests of programs: `AudioEngine(client: "ear", server: server.name)`.
@_exported public import class SwiftletJack.DummyServer
