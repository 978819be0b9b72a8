// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

/// A plugin that can be audited, and the files that it comes from.
package struct AuditSubject: Sendable {
  /// What a manifest calls it.
  package let uri: String
  /// Its name for people.
  package let name: String
  /// The folder of its bundle, with a slash at its end; nil if that is not known.
  package let bundle: String?
  /// The path of its shared library; nil if its description names none.
  package let library: String?
}

extension PluginWorld {
  /// A plugin of this world as an audit knows it. Its code does not run.
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

  /// The URIs of the plugins in a bundle, which is a folder, and why its manifest cannot be read, if that is so.
  package static func plugins(inBundle folder: String) -> (uris: [String], fault: String?) {
    let scan = TurtleScan(path: folder + "/manifest.ttl", isManifest: true)
    return (Set(scan.plugins).sorted(), scan.danger ?? scan.mistake.map { "is not Turtle in line \($0)" })
  }
}
