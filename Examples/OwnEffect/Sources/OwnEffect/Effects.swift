// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletEffectKit

/// Shows the effects of this package to `visitor`. `make lv2` makes a plugin of each.
func forEachEffect<Visitor: EffectVisitor>(_ visitor: inout Visitor) {
  visitor.visit(Folder.self)
}
