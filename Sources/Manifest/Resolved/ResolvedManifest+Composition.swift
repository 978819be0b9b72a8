// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet

extension ResolvedManifest {
  /// Returns the timeline's tracks and video as a composition. It can be edited, played with
  /// ``NodeKind/track(_:mix:plays:)``, or written back with ``Manifest/setTimeline(_:mix:against:)``. Relative paths
  /// are relative to the current directory.
  ///
  /// - Throws: ``CompositionError``. A checked manifest that was not changed does not throw.
  public func composition() throws(CompositionError) -> Composition {
    let tracks = nodes.compactMap { node -> Track? in
      guard case .track(let track, _) = node.kind else { return nil }
      return track
    }
    return try Composition(tracks, video: video)
  }

  /// Returns the automation of tracks, of nodes and of the master as a mix. Lanes of wires are not included.
  ///
  /// The initial value of a parameter is the one that the manifest sets, or else the effect's default. Values of
  /// presets are known only to the engine, so the default is used for them, too.
  ///
  /// - Throws: ``AutomationError``. A checked manifest that was not changed does not throw.
  public func mix() throws(AutomationError) -> AudioMix {
    var mix = AudioMix()
    mix.master = master
    for node in nodes {
      if case .track(let track, let trackMix) = node.kind { mix[track.id] = trackMix }
    }
    for lane in lanes {
      guard case .node(let index, let parameter) = lane.target, nodes.indices.contains(index) else {
        continue
      }
      let path = ParameterPath(node: nodes[index].name, parameter: parameter)
      mix[lane: path] = try lane.automation(from: nodes[index].initial(parameter))
    }
    return mix
  }
}

extension ResolvedManifest.Node {
  /// Returns the initial value of a parameter, of the volume or of the pan.
  fileprivate func initial(_ symbol: String) -> Float {
    guard let info = Checker.parameters(of: self).first(where: { $0.symbol == symbol }) else {
      return symbol == Checker.volume ? 1 : 0
    }
    return values.last { $0.parameter == info.number }?.value ?? info.initial
  }
}
