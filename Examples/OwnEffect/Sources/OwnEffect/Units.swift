// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletEffectKit

/// What this package brings: the list that `make lv2` turns into plugins.
func forEachUnit<Visitor: UnitVisitor>(_ visitor: inout Visitor) {
  visitor.visit(Folder.self)
}
