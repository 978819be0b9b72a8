// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet

extension ResolvedManifest {
  /// What plays when: the timeline's tracks and its picture, to be edited, played by ``NodeKind/track(_:mix:plays:)``,
  /// or put back by ``Manifest/setTimeline(_:mix:against:)``. Paths can be opened from here.
  ///
  /// - Throws: ``CompositionError``, which a manifest that was checked and left as it was never does.
  public func composition() throws(CompositionError) -> Composition {
    let tracks = nodes.compactMap { node -> Track? in
      guard case .track(let track, _) = node.kind else { return nil }
      return track
    }
    return try Composition(tracks, video: video)
  }

  /// How all that plays moves: what the timeline says of tracks, of nodes and of the whole. Lanes of wires are no part
  /// of it.
  ///
  /// Before anything is said of it, a parameter is where the manifest sets it; one that a preset sets is known to the
  /// engine alone, and counts as where its effect begins.
  ///
  /// - Throws: ``AutomationError``, which a manifest that was checked and left as it was never does.
  public func mix() throws(AutomationError) -> AudioMix {
    var mix = AudioMix()
    mix.master = master
    for node in nodes {
      if case .track(let track, let said) = node.kind { mix[track.id] = said }
    }
    for lane in lanes {
      guard case .node(let place, let parameter) = lane.target, nodes.indices.contains(place) else {
        continue
      }
      let path = ParameterPath(node: nodes[place].name, parameter: parameter)
      mix[lane: path] = try lane.automation(from: nodes[place].initial(parameter))
    }
    return mix
  }
}

extension ResolvedManifest.Node {
  /// Where a parameter, the volume or the pan stands before anything is said of it.
  fileprivate func initial(_ symbol: String) -> Float {
    guard let info = Checker.parameters(of: self).first(where: { $0.symbol == symbol }) else {
      return symbol == Checker.volume ? 1 : 0
    }
    return values.last { $0.parameter == info.number }?.value ?? info.initial
  }
}
