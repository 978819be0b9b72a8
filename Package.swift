// swift-tools-version: 6.2
// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import PackageDescription

/// The settings of every Swift target: imports are internal by default, and members are visible only with a direct
/// import. `guarded` also requires that unsafe expressions are marked, in modules that handle the audio thread's
/// memory.
let sharedSettings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let guarded = sharedSettings + [.strictMemorySafety()]

func library(_ name: String, _ header: String, apt package: String) -> Target {
  .systemLibrary(
    name: "CSwiftlet" + name, path: "Sources/C" + name, pkgConfig: header, providers: [.apt([package])])
}

func module(
  _ name: String, at path: String, needs dependencies: [Target.Dependency],
  settings: [SwiftSetting] = sharedSettings
) -> Target {
  .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(_ name: String, of dependencies: [Target.Dependency], beside fixtures: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies, path: "Tests/" + name, exclude: fixtures,
    swiftSettings: sharedSettings)
}

/// An example program with the manifest that does the same. It can access the public API only.
func example(_ name: String, beside manifest: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["Swiftlet"], path: "Examples/" + name, exclude: [manifest],
    packageAccess: false,
    swiftSettings: sharedSettings)
}

/// Links RealtimeSanitizer into the program that audits plugins if the environment names it: its runtime as an object
/// file, or a linker option for an existing runtime. SwiftPM calls such a flag unsafe, so there is none otherwise.
let auditLinking: [LinkerSetting] =
  Context.environment["SWIFTLET_RTSAN"].map { $0.isEmpty ? [] : [.unsafeFlags(["-Xlinker", $0])] } ?? []

/// The parsers of outside bytes as fuzz targets: tests with the cases that fuzzers have found, or a program for
/// `make fuzz`.
func fuzzing(of dependencies: [Target.Dependency]) -> Target {
  Context.environment["SWIFTLET_FUZZ"] == nil
    ? .testTarget(
      name: "FuzzTests", dependencies: dependencies, path: "Fuzz", exclude: ["corpus", "Driver"],
      sources: ["Targets", "Tests"], swiftSettings: sharedSettings)
    : .executableTarget(
      name: "SwiftletFuzz", dependencies: dependencies, path: "Fuzz", exclude: ["corpus", "Tests"],
      sources: ["Targets", "Driver"], swiftSettings: sharedSettings)
}

let package = Package(
  name: "swiftlet",
  products: [
    .library(name: "Swiftlet", targets: ["Swiftlet"]),
    .library(name: "SwiftletManifest", targets: ["SwiftletManifest"]),
    .library(name: "SwiftletEffectKit", targets: ["SwiftletEffectKit"]),
    .library(name: "SwiftletTesting", targets: ["SwiftletTesting"]),
    .executable(name: "swiftlet", targets: ["SwiftletCommand"]),
    .executable(name: "swiftlet-plugin-host", targets: ["SwiftletPluginHost"]),
    .executable(name: "swiftlet-audit-host", targets: ["SwiftletAuditHost"]),
  ],
  traits: [
    .trait(
      name: "RubberBand",
      description:
        "The stretch algorithm `finest`: Rubber Band. A build with it is GPL-3.0-or-later.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    library("Jack", "jack", apt: "libjack-jackd2-dev"),
    library("Lilv", "lilv-0", apt: "liblilv-dev"),
    library("LV2", "lv2", apt: "lv2-dev"),
    library("SndFile", "sndfile", apt: "libsndfile1-dev"),
    library("SampleRate", "samplerate", apt: "libsamplerate0-dev"),
    library("SoundTouch", "soundtouch", apt: "libsoundtouch-dev"),
    library("RubberBand", "rubberband", apt: "librubberband-dev"),
    library("EBUR128", "libebur128", apt: "libebur128-dev"),
    library("MySofa", "libmysofa", apt: "libmysofa-dev"),
    library("SpeexDSP", "speexdsp", apt: "libspeexdsp-dev"),
    .target(name: "CSwiftletRealtime", path: "Sources/CRealtime"),
    .target(name: "CSwiftletSystem", path: "Sources/CSystem"),

    module("SwiftletSignal", at: "Sources/Signal", needs: ["CSwiftletRealtime"], settings: guarded),
    module("SwiftletEffectKit", at: "Sources/EffectKit", needs: ["SwiftletSignal"], settings: guarded),
    module(
      "SwiftletEffects", at: "Plugins/Effects", needs: ["SwiftletSignal", "CSwiftletRealtime"],
      settings: guarded),
    module(
      "SwiftletStretch", at: "Sources/Stretch",
      needs: [
        "CSwiftletSoundTouch", "CSwiftletSampleRate",
        .target(name: "CSwiftletRubberBand", condition: .when(traits: ["RubberBand"])),
      ]),
    module(
      "SwiftletLibraryEffects", at: "Plugins/LibraryEffects",
      needs: [
        "SwiftletSignal", "SwiftletStretch", "SwiftletThreads", "CSwiftletRealtime", "CSwiftletEBUR128",
        "CSwiftletMySofa", "CSwiftletSpeexDSP",
      ],
      settings: guarded),
    module(
      "SwiftletLV2Export", at: "Sources/LV2Export",
      needs: ["SwiftletSignal", "CSwiftletRealtime", "CSwiftletLV2"], settings: guarded),
    module(
      "SwiftletGraph", at: "Sources/Graph",
      needs: [
        "SwiftletSignal", "SwiftletTimeline", "CSwiftletRealtime",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      settings: guarded),
    module(
      "SwiftletPlayback", at: "Sources/Playback",
      needs: ["SwiftletGraph", "SwiftletSignal", "SwiftletTimeline", "CSwiftletRealtime"], settings: guarded),
    module(
      "SwiftletLV2", at: "Sources/LV2",
      needs: [
        "SwiftletGraph", "SwiftletSignal", "SwiftletThreads", "SwiftletProcesses", "SwiftletDisk",
        "CSwiftletLilv", "CSwiftletRealtime", "CSwiftletSystem",
      ]),
    module(
      "SwiftletJack", at: "Sources/Jack",
      needs: [
        "SwiftletGraph", "SwiftletSignal", "SwiftletTimeline", "SwiftletThreads", "SwiftletProcesses",
        "SwiftletDisk",
        "CSwiftletRealtime", "CSwiftletJack",
      ]),
    module(
      "SwiftletFiles", at: "Sources/Files",
      needs: [
        "SwiftletPlayback", "SwiftletGraph", "SwiftletSignal", "SwiftletStretch", "SwiftletTimeline",
        "SwiftletThreads", "SwiftletProcesses", "SwiftletDisk", "CSwiftletRealtime", "CSwiftletSystem",
        "CSwiftletSndFile", "CSwiftletSampleRate",
      ]),
    module("SwiftletThreads", at: "Sources/Threads", needs: []),
    module("SwiftletProcesses", at: "Sources/Processes", needs: ["SwiftletThreads", "CSwiftletSystem"]),
    module("SwiftletDisk", at: "Sources/Disk", needs: ["SwiftletThreads", "CSwiftletSystem"]),
    module("SwiftletTimeline", at: "Sources/Timeline", needs: ["SwiftletSignal"], settings: guarded),
    module(
      "Swiftlet", at: "Sources/Swiftlet",
      needs: [
        "SwiftletSignal", "SwiftletGraph", "SwiftletEffects", "SwiftletLibraryEffects", "SwiftletLV2",
        "SwiftletJack", "SwiftletFiles", "SwiftletPlayback", "SwiftletStretch", "SwiftletTimeline",
        "SwiftletThreads", "SwiftletDisk", "CSwiftletRealtime",
      ]),
    module(
      "SwiftletControl", at: "Sources/Control",
      needs: ["SwiftletGraph", "SwiftletFiles", "SwiftletThreads", "SwiftletDisk"]),
    module(
      "SwiftletManifest", at: "Sources/Manifest",
      needs: [
        "Swiftlet", "SwiftletFiles", "SwiftletGraph", "SwiftletPlayback", "SwiftletLV2", "SwiftletSignal",
        "SwiftletDisk", "SwiftletControl", "SwiftletTimeline",
        .product(name: "Yams", package: "Yams"),
      ]),
    module(
      "SwiftletTesting", at: "Sources/Testing", needs: ["SwiftletSignal", "SwiftletGraph", "SwiftletJack"]),
    .executableTarget(
      name: "SwiftletCommand",
      dependencies: [
        "Swiftlet", "SwiftletManifest", "SwiftletControl", "SwiftletFiles", "SwiftletGraph",
        "SwiftletPlayback", "SwiftletJack", "SwiftletLV2", "SwiftletSignal", "SwiftletProcesses",
        "SwiftletDisk",
        "SwiftletThreads", "CSwiftletRealtime", "CSwiftletSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Command", swiftSettings: sharedSettings),
    .executableTarget(
      name: "SwiftletPluginHost", dependencies: ["SwiftletLV2"], path: "Sources/PluginHost",
      swiftSettings: sharedSettings),
    .executableTarget(
      name: "SwiftletAuditHost", dependencies: ["SwiftletLV2"], path: "Sources/AuditHost",
      swiftSettings: sharedSettings, linkerSettings: auditLinking),
    example("DryAndWet", beside: "dry-and-wet.yaml"),
    example("Karaoke", beside: "karaoke.yaml"),
    example("Medley", beside: "medley.yaml"),
    example("VoiceOver", beside: "voice-over.yaml"),
    example("Underlay", beside: "underlay.yaml"),
    example("Movie", beside: "movie.yaml"),
    example("LoopPlayer", beside: "loop-player.yaml"),
    example("Looper", beside: "looper.yaml"),
    example("TappedMix", beside: "tapped-mix.yaml"),
    example("VoiceMemo", beside: "voice-memo.yaml"),
    example("Comeback", beside: "comeback.yaml"),
    example("Unplugged", beside: "unplugged.yaml"),

    .target(name: "CSwiftletProbe", path: "Tests/Probe"),
    .target(name: "CSwiftletSanitizers", path: "Tests/SanitizerSupport"),
    tests("Sanitizers", of: ["SwiftletSignal", "CSwiftletSanitizers"]),
    tests("Signal", of: ["SwiftletSignal", "CSwiftletRealtime"]),
    tests(
      "Graph",
      of: [
        "SwiftletGraph", "SwiftletPlayback", "SwiftletSignal", "SwiftletTimeline", "SwiftletTesting",
        "CSwiftletRealtime",
      ]),
    tests(
      "Effects",
      of: [
        "SwiftletEffects", "SwiftletLibraryEffects", "SwiftletTesting", "SwiftletGraph", "SwiftletSignal",
      ]),
    tests("Stretch", of: ["SwiftletStretch", "SwiftletTesting"]),
    tests("Timeline", of: ["SwiftletTimeline", "SwiftletSignal", "SwiftletTesting"]),
    tests(
      "LibraryEffects",
      of: [
        "SwiftletLibraryEffects", "SwiftletStretch", "SwiftletTesting", "SwiftletGraph", "SwiftletSignal",
      ]),
    tests(
      "LV2",
      of: [
        "SwiftletLV2", "SwiftletEffects", "SwiftletGraph", "SwiftletSignal", "CSwiftletLilv",
        "CSwiftletRealtime",
      ]),
    tests(
      "LV2Export",
      of: ["SwiftletLV2Export", "SwiftletEffects", "SwiftletSignal", "CSwiftletLV2", "CSwiftletRealtime"]),
    tests("Threads", of: ["SwiftletThreads"]),
    tests("Processes", of: ["SwiftletProcesses"]),
    tests("Disk", of: ["SwiftletDisk"]),
    tests("Control", of: ["SwiftletControl", "SwiftletDisk"]),
    tests(
      "Jack", of: ["SwiftletJack", "SwiftletGraph", "SwiftletSignal", "SwiftletTimeline", "SwiftletDisk"]),
    tests(
      "Files",
      of: [
        "SwiftletFiles", "SwiftletPlayback", "SwiftletGraph", "SwiftletSignal", "SwiftletStretch",
        "SwiftletTimeline", "SwiftletDisk", "SwiftletProcesses", "SwiftletTesting", "CSwiftletSndFile",
      ]),
    tests(
      "Manifest", of: ["SwiftletManifest", "Swiftlet", "SwiftletGraph", "SwiftletSignal", "SwiftletTesting"],
      beside: ["Fixtures"]),
    tests(
      "Engine",
      of: [
        "Swiftlet", "SwiftletGraph", "SwiftletSignal", "SwiftletEffects", "SwiftletLibraryEffects",
        "SwiftletLV2", "SwiftletJack", "SwiftletFiles", "SwiftletDisk", "SwiftletTesting", "CSwiftletJack",
        "CSwiftletRealtime", "CSwiftletProbe",
      ]),
    tests(
      "Command",
      of: [
        "SwiftletCommand", "SwiftletPluginHost", "SwiftletAuditHost", "Swiftlet", "SwiftletManifest",
        "SwiftletControl",
        "SwiftletGraph",
        "SwiftletSignal",
        "SwiftletTesting",
      ],
      beside: ["terminal.py", "phones.py"]),
    fuzzing(of: [
      "Swiftlet", "SwiftletManifest", "SwiftletControl", "SwiftletFiles", "SwiftletGraph", "SwiftletJack",
      "SwiftletLV2", "SwiftletLV2Export", "SwiftletLibraryEffects", "SwiftletSignal", "SwiftletTimeline",
      "CSwiftletLV2", "CSwiftletMySofa",
    ]),
  ],
  swiftLanguageModes: [.v6]
)

/// Removes all targets of a package but some and their dependencies.
func keep(_ names: Set<String>, of package: Package) {
  var kept: Set<String> = [], next = names
  while !next.isEmpty {
    kept.formUnion(next)
    let dependencies = package.targets.filter { next.contains($0.name) }.flatMap(\.dependencies)
    let needed = dependencies.compactMap { dependency in
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): name
      default: nil
      }
    }
    next = Set(needed).subtracting(kept)
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { ($0 as? Product.Executable)?.targets.allSatisfy(kept.contains) != true }
}

// For builds of a few tests, such as those of `Scripts/sanitize`: the names of their targets.
if let names = Context.environment["SWIFTLET_TARGETS"] {
  keep(Set(names.split(separator: " ").map(String.init)), of: package)
}
