// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

/// A plugin that can be audited, and its files.
package struct AuditSubject: Sendable {
  /// The plugin's URI, as in manifests.
  package let uri: String
  /// The display name.
  package let name: String
  /// The folder of its bundle, with a trailing slash; nil if it is unknown.
  package let bundle: String?
  /// The path of its shared library; nil if its description names none.
  package let library: String?
}

extension PluginWorld {
  /// Returns a plugin of this world as an audit subject. Does not run its code.
  ///
  /// - Throws: ``PluginError/unknownPlugin(_:nearest:)``, ``PluginError/noWorld``.
  package func auditSubject(uri: String) throws(PluginError) -> AuditSubject {
    try lock.locked { () throws(PluginError) in
      let model = try model(uri: uri), lilv = try lilv()
      let bundle = lilv.plugin(uri).flatMap { Lilv.text(lilv_plugin_get_bundle_uri($0)) }
      return AuditSubject(
        uri: uri, name: model.name, bundle: bundle.flatMap { Lilv.path(of: $0) }, library: model.library)
    }
  }

  /// Returns the URIs of the plugins in a bundle's folder, and the reason why its manifest cannot be read, if there is
  /// one.
  package static func plugins(inBundle folder: String) -> (uris: [String], fault: String?) {
    let scan = TurtleScan(path: folder + "/manifest.ttl", isManifest: true)
    return (Set(scan.plugins).sorted(), scan.danger ?? scan.mistake.map { "is not Turtle in line \($0)" })
  }
}
