// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

/// The LV2 features for saving or restoring a state: paths and a worker.
struct PathFeatures {
  /// The path mapping; nil if the caller that passes the features on has its own.
  var map: UnsafeMutablePointer<LV2_State_Map_Path>?
  var make: UnsafeMutablePointer<LV2_State_Make_Path>
  var free: UnsafeMutablePointer<LV2_State_Free_Path>

  /// Features that leave paths unchanged, for a state that does not outlive the process.
  init(_ files: PluginFiles) { (map, make, free) = (files.map, files.make, files.free) }

  /// Passes the features to `body` as a null-terminated list, which is valid during the call.
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
      let list = features.indices.map { index in features.baseAddress.map { $0 + index } } + [nil]
      return body(list)
    }
  }
}
