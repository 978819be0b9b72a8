// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Glibc

/// The features that the host provides to one instance: LV2's null-terminated list.
///
/// An instance may keep pointers into it, so this object lives as long as the instance.
final class PluginFeatures {
  private(set) var list: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>
  private let features: UnsafeMutablePointer<LV2_Feature>
  private let options: UnsafeMutablePointer<LV2_Options_Option>
  private let numbers: UnsafeMutablePointer<Int32>
  private let rate: UnsafeMutablePointer<Float>
  private var count = 0
  /// The sizes of the instance's port buffers.
  let portSizes: PortSizes
  // The objects that the features point to. A plugin may log and ask for paths until it is freed.
  private let kept: (PluginLog, PluginFiles, PluginWorker?)

  /// The maximum number of features, including the terminating null.
  private static let room = 24

  /// - Parameters:
  ///   - worker: The plugin's worker; nil if the plugin requests none.
  ///   - number: The instance's index among those of the worker.
  ///   - sequenceSize: The size of each event buffer in bytes.
  ///   - canGrow: Whether the plugin may request larger event buffers while it is instantiated.
  init(
    _ model: PluginModel, _ layout: PluginLayout, _ guarantee: BlockLengthGuarantee,
    worker: PluginWorker?, number: Int, log: PluginLog, files: PluginFiles, sequenceSize: Int,
    canGrow: Bool = false
  ) {
    kept = (log, files, worker)
    portSizes = PortSizes(model, longest: guarantee.longest, canGrow: canGrow)
    list = .allocate(capacity: Self.room)
    features = .allocate(capacity: Self.room)
    options = .allocate(capacity: 6)
    numbers = .allocate(capacity: 4)
    rate = .allocate(capacity: 1)
    list.initialize(repeating: nil, count: Self.room)
    let map = URIDMap.shared
    let nominal = layout.period ?? guarantee.longest
    numbers.initialize(
      from: [guarantee.shortest, guarantee.longest, nominal, sequenceSize].map { Int32($0) }, count: 4)
    rate.initialize(to: Float(layout.sampleRate))
    let keys = [Name.minBlockLength, Name.maxBlockLength, Name.nominalBlockLength, Name.sequenceSize]
    for (index, key) in keys.enumerated() {
      (options + index).initialize(
        to: LV2_Options_Option(
          context: LV2_OPTIONS_INSTANCE, subject: 0, key: map.number(of: key), size: 4,
          type: map.number(of: Name.atomInt), value: numbers + index))
    }
    (options + 4).initialize(
      to: LV2_Options_Option(
        context: LV2_OPTIONS_INSTANCE, subject: 0, key: map.number(of: Name.sampleRate), size: 4,
        type: map.number(of: Name.atomFloat), value: rate))
    (options + 5).initialize(to: LV2_Options_Option())

    add(Name.uridMap, map.map)
    add(Name.uridUnmap, map.unmap)
    add(Name.uriMap, map.uriMap)
    add(Name.options, options)
    add(Name.resizePort, portSizes.feature)
    if let worker { add(Name.workerSchedule, worker.schedules + number) }
    add(Name.log, log.feature)
    add(Name.mapPath, files.map)
    add(Name.makePath, files.make)
    add(Name.freePath, files.free)
    add(Name.loadDefaultState)
    add(Name.threadSafeRestore)
    add(Name.boundedBlockLength)
    if guarantee.isFixed { add(Name.fixedBlockLength) }
    if guarantee.isPowerOf2 { add(Name.powerOf2BlockLength) }
    if model.needsWholeBlocks { add(Name.coarseBlockLength) }
    if !layout.isOffline || model.requiredFeatures.contains(Name.isLive) { add(Name.isLive) }
    add(Name.hardRealTime)
    add(Name.inPlaceBroken)
  }

  deinit {
    list.deallocate()
    features.deallocate()
    options.deallocate()
    numbers.deallocate()
    rate.deallocate()
  }

  private func add(_ uri: String, _ data: UnsafeMutableRawPointer? = nil) {
    assert(count + 1 < Self.room, "no room for another feature")
    (features + count).initialize(to: LV2_Feature(URI: URIDMap.shared.pinned(uri), data: data))
    list[count] = UnsafePointer(features + count)
    count += 1
  }
}
