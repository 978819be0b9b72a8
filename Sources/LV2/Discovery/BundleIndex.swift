// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The bundles with statements about each plugin, and which of them lilv has not read yet.
///
/// If several bundles contain the same plugin, lilv's choice depends on the order in which it reads them. They are
/// therefore always taken together, in path order.
final class BundleIndex {
  private let bundles: [(path: String, scan: TurtleScan)]
  /// The indices of the bundles with statements about a URI.
  private let naming: [String: [Int]]
  private var isTaken: [Bool]
  /// The URIs of all plugins.
  let plugins: Set<String>

  /// Creates an index of bundles, which are in path order.
  init(_ bundles: [(path: String, scan: TurtleScan)]) {
    var naming: [String: [Int]] = [:], plugins: Set<String> = []
    for (number, bundle) in bundles.enumerated() {
      plugins.formUnion(bundle.scan.plugins)
      for subject in bundle.scan.subjects { naming[subject, default: []].append(number) }
    }
    (self.bundles, self.naming, self.plugins) = (bundles, naming, plugins)
    isTaken = bundles.map { _ in false }
  }

  /// Returns the bundles that define classes or specifications and were not taken before.
  func takeVocabularies() -> [String] { take(bundles.indices.filter { bundles[$0].scan.isVocabulary }) }

  /// Returns the bundles with statements about a plugin that were not taken before.
  func take(naming uri: String) -> [String] { take(naming[uri] ?? []) }

  /// Takes bundles, and all others with statements about the plugins in them.
  private func take(_ numbers: [Int]) -> [String] {
    var waiting = numbers, taken: [Int] = []
    while let number = waiting.popLast() {
      guard !isTaken[number] else { continue }
      isTaken[number] = true
      taken.append(number)
      for plugin in bundles[number].scan.plugins { waiting += naming[plugin] ?? [] }
    }
    return taken.sorted().map { bundles[$0].path }
  }
}
