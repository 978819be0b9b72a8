// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletFiles
internal import SwiftletLV2
internal import SwiftletManifest

extension ManifestCatalog {
  /// What this machine has: the built-in effects, its LV2 plugins, and the sound files on its disks.
  static var installed: ManifestCatalog {
    ManifestCatalog(
      effects: EffectCatalog.builtIn.infos,
      plugin: { uri in try? PluginWorld.shared.info(uri: uri) },
      pluginURIs: { ((try? PluginWorld.shared.list()) ?? []).map(\.uri) },
      player: { path in
        do throws(FileError) {
          return .channels(try AudioFileReader(path).info.channelCount)
        } catch {
          return .problem(error.detail)
        }
      })
  }
}
