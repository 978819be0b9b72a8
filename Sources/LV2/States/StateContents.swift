// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc

/// The contents of a state in a folder, as text. No plugin is loaded.
package struct StateContents: Sendable, Equatable {
  /// The state of one instance.
  package struct Instance: Sendable, Equatable {
    /// The values of parameters with a port, by port symbol.
    package var ports: [Port] = []
    /// The properties that the plugin has saved.
    package var properties: [Property] = []
  }

  /// The value of a parameter with a port.
  package struct Port: Sendable, Equatable {
    package var symbol: String, value: String
  }

  /// A property that the plugin has saved.
  package struct Property: Sendable, Equatable {
    /// The URI of the property.
    package var uri: String
    /// The type of the value: `path`, the last part of the type's URI such as `float`, or `list`.
    package var type: String
    /// The value as text; for a file in the folder, its path relative to the folder.
    package var value: String
    /// Whether the file exists; nil if the value is not a file.
    package var isThere: Bool?
  }

  /// The URI of the plugin that the state is for.
  package var plugin: String
  /// The instances; a mono plugin has one for each channel.
  package var instances: [Instance]

  /// Reads the state in a folder.
  ///
  /// - Parameter name: The name of the state's file; default `state.ttl`.
  /// - Throws: ``PluginError/state(_:plugin:because:)``, with an empty plugin.
  package init(folder: String, name: String = "state.ttl") throws(PluginError) {
    let root = URL(filePath: folder).standardizedFileURL.path
    let file = root + "/" + name, scan = TurtleScan(path: file)
    func refusal(_ reason: String) -> PluginError { .state(folder, plugin: "", because: reason) }
    guard FileManager.default.fileExists(atPath: file) else { throw refusal("it has no file \(name)") }
    if let danger = scan.danger ?? scan.mistake.map({ "is not Turtle in line \($0)" }) {
      throw refusal("its file \(name) \(danger)")
    }
    guard let turtle = TurtleTriples(path: file) else { throw refusal("its file \(name) cannot be read") }
    var plugin: String?, instances: [Instance] = []
    for statement in turtle.statements where statement.predicate == Name.appliesTo {
      guard case .uri(let uri) = statement.object, plugin == nil || plugin == uri else { continue }
      plugin = uri
      instances.append(Instance(statement.subject, in: turtle, root: root + "/"))
    }
    guard let plugin else { throw refusal("its file \(name) holds no state of a plugin") }
    (self.plugin, self.instances) = (plugin, instances)
  }
}

extension StateContents {
  /// The names of the files and folders that belong to the state in a folder.
  package static func members(of folder: String, name: String = "state.ttl") -> Set<String> {
    let paths = (try? StateContents(folder: folder, name: name))?.instances.flatMap(\.properties).filter {
      $0.isThere != nil && !$0.value.hasPrefix("/")
    }
    let members = (paths ?? []).compactMap { $0.value.split(separator: "/").first.map(String.init) }
    return Set(members + [name, "manifest.ttl"])
  }
}

extension StateContents.Instance {
  fileprivate init(_ subject: TurtleTriples.Term, in turtle: TurtleTriples, root: String) {
    for port in turtle.objects(subject, Name.port) {
      guard case .literal(let symbol, _)? = turtle.objects(port, Name.symbol).first,
        case .literal(let value, _)? =
          (turtle.objects(port, Name.presetValue) + turtle.objects(port, Name.value))
          .first
      else { continue }
      ports.append(.init(symbol: symbol, value: value))
    }
    for state in turtle.objects(subject, Name.state) {
      for statement in turtle.statements where statement.subject == state {
        properties.append(.init(statement.predicate, statement.object, in: turtle, root: root))
      }
    }
  }
}

extension StateContents.Property {
  fileprivate init(
    _ uri: String, _ object: TurtleTriples.Term, in turtle: TurtleTriples, root: String
  ) {
    self.uri = uri
    switch object {
    case .literal(let text, let kind):
      type =
        kind.map { String($0[($0.lastIndex(of: "#").map($0.index(after:)) ?? $0.startIndex)...]) } ?? "text"
      value = text
    case .uri(let target):
      guard let path = Lilv.path(of: target) else {
        (type, value) = ("uri", target)
        return
      }
      type = "path"
      value = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
      isThere = FileManager.default.fileExists(atPath: path)
    case .blank:
      type = "list"
      let items = turtle.objects(object, Name.value).first.map { turtle.list($0) } ?? []
      value = items.map { if case .literal(let text, _) = $0 { text } else { "…" } }.joined(separator: ", ")
    }
  }
}
