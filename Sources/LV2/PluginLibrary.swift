// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc

/// The shared library that a plugin's code is in.
package enum PluginLibrary {
  private typealias Descriptor = @convention(c) (UInt32) -> UnsafePointer<LV2_Descriptor>?

  /// The most plugins that are looked at in one library: its function may never return null.
  private static let mostPlugins: UInt32 = 10_000

  /// Loads a library before lilv does, which would print why the library cannot be used, and not return it.
  ///
  /// The library stays loaded until the process ends: threads and exit handlers that a plugin leaves behind run its code.
  /// - Returns: why the plugin cannot come from the library, as the end of a sentence whose subject is the library; nil if
  ///   it can.
  package static func fault(of uri: String, in path: String) -> String? {
    let note = swiftlet_note_plugin(uri, path)
    defer { swiftlet_forget_note(note) }
    return fault(of: uri, in: path, note)
  }

  /// As the one without a note, which is what a crash report says of the plugin.
  static func fault(of uri: String, in path: String, _ note: UnsafePointer<swiftlet_note>?) -> String? {
    guard access(path, F_OK) == 0 else { return "'\(path)' is missing" }
    guard let library = open(path, note) else {
      // The loader's own words begin with the path, for most reasons.
      let words = dlerror().map { String(cString: $0) } ?? "no reason is known"
      let reason = words.hasPrefix(path + ": ") ? String(words.dropFirst(path.count + 2)) : words
      return "'\(path)' does not load: \(reason)"
    }
    defer { dlclose(library) }
    // A library with both is asked by lilv for this one, which wants features.
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

  private static func open(_ path: String, _ note: UnsafePointer<swiftlet_note>?) -> UnsafeMutableRawPointer?
  {
    func load() -> UnsafeMutableRawPointer? {
      withForeignCode(SWIFTLET_LOADING, note) { dlopen(path, RTLD_NOW | RTLD_NODELETE) }
    }
    if let library = load() { return library }
    guard let reason = dlerror() else { return nil }
    // Debian's swh plugins use this library without naming it.
    if strstr(reason, "fftwf_") != nil { _ = dlopen("libfftw3f.so.3", RTLD_NOW | RTLD_GLOBAL) }
    // Again for the reason, which was read.
    return load()
  }
}
