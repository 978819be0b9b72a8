// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletFiles
internal import SwiftletLV2

extension ManifestCatalog {
  /// The catalogue of this machine: the built-in effects, the installed LV2 plugins, and the files on its disks.
  public static var thisMachine: ManifestCatalog {
    var catalog = ManifestCatalog(
      effects: EffectCatalog.builtIn.infos,
      plugin: { try? PluginWorld.shared.info(uri: $0) },
      pluginURIs: { (try? PluginWorld.shared.uris()) ?? [] },
      player: { path in
        do throws(FileError) {
          let info = try AudioFileReader(path).info
          return .sound(
            channels: info.channelCount,
            length: MediaTime(frames: Int64(info.frameCount), at: info.sampleRate))
        } catch {
          return .problem(error.detail, remedy: error.mayBeUnfinishedTake ? .recovery : nil)
        }
      },
      movie: { path in
        do throws(FileError) { return .movie(length: try MovieInfo(path).duration) } catch {
          return .problem(error.detail)
        }
      },
      effectTrial: { node in
        do throws(EngineError) {
          // The effect itself decides which channels and files it accepts, so it is created.
          _ = try AudioEngine(.offline(sampleRate: 48_000)).attach(node.engineKind(connects: false))
        } catch {
          switch error {
          case .file(let error): return (error.path, error.detail)
          case .effect: return (nil, "\(error)")
          default: break
          }
        }
        return nil
      })
    catalog.fileFault = { PropertyFile.fault($0)?.detail }
    catalog.stateFault = { PluginWorld.shared.stateFault(in: $0, of: $1) }
    catalog.unreadableBundles = { (try? PluginWorld.shared.unreadableBundles()) ?? [] }
    return catalog
  }

  /// The catalogue of this machine, which also loads the library of each plugin that is looked up.
  package static var thisMachineWithLibraries: ManifestCatalog {
    var catalog = thisMachine
    catalog.libraryFault = { try? PluginWorld.shared.libraryFault(uri: $0) }
    return catalog
  }
}
