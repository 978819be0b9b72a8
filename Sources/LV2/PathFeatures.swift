// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

/// The LV2 features that a plugin gets while it saves or restores its state: paths, and a worker.
struct PathFeatures {
  /// Translates paths; nil where whoever passes the features on has a translation of its own.
  var map: UnsafeMutablePointer<LV2_State_Map_Path>?
  var make: UnsafeMutablePointer<LV2_State_Make_Path>
  var free: UnsafeMutablePointer<LV2_State_Free_Path>

  /// Paths as they stand, for a state that does not outlive the process.
  init(_ files: PluginFiles) { (map, make, free) = (files.map, files.make, files.free) }

  /// The features as LV2 wants them, while `body` runs: a list that ends with null.
  func withList<Result>(
    _ schedule: UnsafeMutablePointer<LV2_Worker_Schedule>? = nil,
    _ body: (UnsafePointer<UnsafePointer<LV2_Feature>?>) -> Result
  ) -> Result {
    let names = URIDMap.shared
    var features = [
      LV2_Feature(URI: names.pinned(Name.threadSafeRestore), data: nil),
      LV2_Feature(URI: names.pinned(Name.makePath), data: make),
    ]
    if let map {
      features.append(LV2_Feature(URI: names.pinned(Name.mapPath), data: map))
      features.append(LV2_Feature(URI: names.pinned(Name.freePath), data: free))
    }
    if let schedule { features.append(LV2_Feature(URI: names.pinned(Name.workerSchedule), data: schedule)) }
    return features.withUnsafeBufferPointer { features in
      let list = features.indices.map { place in features.baseAddress.map { $0 + place } } + [nil]
      return body(list)
    }
  }
}
