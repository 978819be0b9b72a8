// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import CSwiftletSystem
internal import Glibc

/// The shared library with a plugin's code.
package enum PluginLibrary {
  private typealias Descriptor = @convention(c) (UInt32) -> UnsafePointer<LV2_Descriptor>?

  /// The maximum number of plugins that are enumerated in one library, since its function may never return null.
  private static let mostPlugins: UInt32 = 10_000

  /// Loads a library before lilv does, which would print the reason for a failure instead of returning it.
  ///
  /// The library stays loaded until the process ends, since threads and exit handlers that a plugin leaves behind run
  /// its code.
  /// - Returns: The reason why the library does not provide the plugin, as the end of a sentence with the library as
  ///   its subject; nil if it does.
  package static func fault(of uri: String, in path: String) -> String? {
    let note = swiftlet_note_plugin(uri, path)
    defer { swiftlet_forget_note(note) }
    return fault(of: uri, in: path, note)
  }

  /// As above, with the note that identifies the plugin in crash reports.
  static func fault(of uri: String, in path: String, _ note: UnsafePointer<swiftlet_note>?) -> String? {
    guard access(path, F_OK) == 0 else { return "'\(path)' is missing" }
    guard let library = open(path, note) else {
      // The loader's message usually begins with the path.
      let words = dlerror().map { String(cString: $0) } ?? "no reason is known"
      let reason = words.hasPrefix(path + ": ") ? String(words.dropFirst(path.count + 2)) : words
      return "'\(path)' does not load: \(reason)"
    }
    defer { dlclose(library) }
    // If a library has both functions, lilv calls this one, which needs features.
    if dlsym(library, "lv2_lib_descriptor") != nil { return nil }
    guard let symbol = dlsym(library, "lv2_descriptor") else {
      return "'\(path)' is no LV2 library: it has no function 'lv2_descriptor'"
    }
    let descriptor = unsafeBitCast(symbol, to: Descriptor.self)
    let isThere = withForeignCode(SWIFTLET_DESCRIPTOR, note) {
      for number in 0..<mostPlugins {
        guard let found = descriptor(number) else { return false }
        if let name = found.pointee.URI, strcmp(name, uri) == 0 { return true }
      }
      return false
    }
    return isThere ? nil : "'\(path)' has no plugin with the URI <\(uri)>"
  }

  /// Returns what a plugin that uses Qt lacks in this process; nil if it lacks nothing.
  ///
  /// Such plugins make Qt's application object, which ends the process if there is no display. This library does not
  /// change the environment of the program that uses it.
  static func missingDisplay(of path: String) -> String? {
    let variables = ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"]
    guard variables.allSatisfy({ (getenv($0)?.pointee ?? 0) == 0 }),
      swiftlet_library_needs(path, "libQt*Gui.so*") != 0
    else { return nil }
    // The pointer to Qt's application object, if the program itself uses Qt and has made one.
    if let application = dlsym(nil, "_ZN16QCoreApplication4selfE"),
      application.load(as: UnsafeRawPointer?.self) != nil
    {
      return nil
    }
    return
      "it uses Qt, which ends the program if there is no display; start the program with a display, or with "
      + "QT_QPA_PLATFORM=offscreen in its environment"
  }

  private static func open(_ path: String, _ note: UnsafePointer<swiftlet_note>?) -> UnsafeMutableRawPointer?
  {
    func load() -> UnsafeMutableRawPointer? {
      withForeignCode(SWIFTLET_LOADING, note) { dlopen(path, RTLD_NOW | RTLD_NODELETE) }
    }
    if let library = load() { return library }
    guard let reason = dlerror() else { return nil }
    // Debian's swh plugins use this library without linking to it.
    if strstr(reason, "fftwf_") != nil { _ = dlopen("libfftw3f.so.3", RTLD_NOW | RTLD_GLOBAL) }
    // Retried also to get the error message again, which dlerror returns only once.
    return load()
  }
}
