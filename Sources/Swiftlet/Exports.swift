// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// `import Swiftlet` is all a program needs: blocks, graphs, ports, plugins, files and times come with it.
@_exported public import SwiftletFiles
@_exported public import SwiftletGraph
@_exported public import SwiftletJack
@_exported public import SwiftletLV2
@_exported public import SwiftletSignal
@_exported public import SwiftletStretch
@_exported public import SwiftletTimeline
