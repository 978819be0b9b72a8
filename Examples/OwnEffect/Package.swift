// swift-tools-version: 6.2
// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import PackageDescription

// A package outside of Swiftlet's. SWIFTLET is the folder of Swiftlet's sources.
let swiftlet = Context.environment["SWIFTLET"] ?? "../.."

let package = Package(
  name: "own-effect",
  dependencies: [.package(name: "swiftlet", path: swiftlet)],
  targets: [
    .executableTarget(
      name: "OwnEffect",
      dependencies: [
        .product(name: "Swiftlet", package: "swiftlet"),
        .product(name: "SwiftletEffectKit", package: "swiftlet"),
        .product(name: "SwiftletTesting", package: "swiftlet"),
      ])
  ]
)
