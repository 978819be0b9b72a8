// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import CSwiftletSystem
internal import Glibc
internal import Synchronization

/// A plugin's descriptor in its loaded library, and the lock for the library.
struct PluginCode: @unchecked Sendable {
  // @unchecked: the descriptors never change, and stay valid until the process ends.
  let descriptor: UnsafePointer<LV2_Descriptor>
  /// The descriptor of the whole library, which is freed after the instance; nil for a library without one.
  let library: UnsafePointer<LV2_Lib_Descriptor>?
  let lock: LibraryLock

  /// Frees the descriptor of the whole library. Call it after the instance's `cleanup`, under the lock.
  func end() { if let library { library.pointee.cleanup?(library.pointee.handle) } }
}

/// Serializes the functions that create, end and list plugins of one library: `instantiate`, `cleanup` and
/// `lv2_descriptor`. No other work waits for it.
final class LibraryLock: Sendable {
  let lock = ControlLock()
  /// Whether a plugin that does not return is known to hold the lock.
  let isHeldUp = Atomic(false)

  private static let all = Mutex<[String: LibraryLock]>([:])

  /// Returns the lock for a library. FFTW's functions for plans are not thread-safe, so all libraries that use FFTW
  /// share one lock.
  static func of(_ path: String, _ handle: UnsafeMutableRawPointer) -> LibraryLock {
    let usesFFTW = ["fftwf_destroy_plan", "fftw_destroy_plan"].contains { (name: String) in
      dlsym(handle, name) != nil
    }
    let key = usesFFTW ? "fftw" : path
    return all.withLock { all in
      if let lock = all[key] { return lock }
      let lock = LibraryLock()
      all[key] = lock
      return lock
    }
  }
}

/// The shared library with a plugin's code.
package enum PluginLibrary {
  private typealias Descriptor = @convention(c) (UInt32) -> UnsafePointer<LV2_Descriptor>?
  private typealias LibraryDescriptor =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafePointer<UnsafePointer<LV2_Feature>?>?
    ) -> UnsafePointer<LV2_Lib_Descriptor>?

  /// The reason why a library does not provide a plugin, as the end of a sentence with the library as its subject.
  struct Fault: Error { let text: String }

  /// A library that was loaded, and its two functions that list plugins; one of them may be missing.
  private struct Loaded {
    let handle: UnsafeMutableRawPointer
    let list: Descriptor?, listWithFeatures: LibraryDescriptor?
  }

  /// The maximum number of plugins that are enumerated in one library, since its function may never return null.
  private static let mostPlugins: UInt32 = 10_000

  /// Loads a library, and looks for a plugin unless the library requires features for that.
  ///
  /// - Returns: The reason why the library does not provide the plugin, as the end of a sentence with the library as
  ///   its subject; nil if it does.
  package static func fault(of uri: String, in path: String) -> String? {
    let note = swiftlet_note_plugin(uri, path)
    defer { swiftlet_remove_note(note) }
    do throws(Fault) {
      let loaded = try load(path, note)
      guard loaded.listWithFeatures == nil, let list = loaded.list else { return nil }
      return LibraryLock.of(path, loaded.handle).lock.locked {
        find(uri, note) { list($0) } == nil ? missing(uri, path).text : nil
      }
    } catch { return error.text }
  }

  /// Loads a library, and returns the code of a plugin in it.
  ///
  /// - Parameter note: The plugin's identity in crash reports.
  static func code(
    of uri: String, in path: String, bundle: String, _ features: PluginFeatures,
    _ note: UnsafePointer<swiftlet_note>?
  ) throws(Fault) -> PluginCode {
    let loaded = try load(path, note)
    let lock = LibraryLock.of(path, loaded.handle)
    return try lock.lock.locked { () throws(Fault) in
      var whole: UnsafePointer<LV2_Lib_Descriptor>?
      if let list = loaded.listWithFeatures {
        whole = withThirdPartyCode(SWIFTLET_DESCRIPTOR, note) { list(bundle, features.list) }
        guard whole != nil else { throw Fault(text: "'\(path)' returned no descriptor") }
      }
      // If a library has both functions, this order is lilv's.
      let descriptor =
        if let list = loaded.list { find(uri, note) { list($0) } } else {
          find(uri, note) { number in whole.flatMap { $0.pointee.get_plugin?($0.pointee.handle, number) } }
        }
      guard let descriptor else {
        if let whole { whole.pointee.cleanup?(whole.pointee.handle) }
        throw missing(uri, path)
      }
      return PluginCode(descriptor: descriptor, library: whole, lock: lock)
    }
  }

  private static func missing(_ uri: String, _ path: String) -> Fault {
    Fault(text: "'\(path)' has no plugin with the URI <\(uri)>")
  }

  /// Loads a library.
  ///
  /// It stays loaded until the process ends, since threads and exit handlers that a plugin leaves behind run its code.
  private static func load(_ path: String, _ note: UnsafePointer<swiftlet_note>?) throws(Fault) -> Loaded {
    guard access(path, F_OK) == 0 else { throw Fault(text: "'\(path)' is missing") }
    guard let library = open(path, note) else {
      // The loader's message usually begins with the path.
      let words = dlerror().map { String(cString: $0) } ?? "no reason is known"
      let reason = words.hasPrefix(path + ": ") ? String(words.dropFirst(path.count + 2)) : words
      throw Fault(text: "'\(path)' does not load: \(reason)")
    }
    let list = dlsym(library, "lv2_descriptor").map { unsafeBitCast($0, to: Descriptor.self) }
    let whole = dlsym(library, "lv2_lib_descriptor").map { unsafeBitCast($0, to: LibraryDescriptor.self) }
    guard list != nil || whole != nil else {
      throw Fault(text: "'\(path)' is no LV2 library: it has no function 'lv2_descriptor'")
    }
    return Loaded(handle: library, list: list, listWithFeatures: whole)
  }

  /// Finds the descriptor of a plugin among those that a library lists.
  private static func find(
    _ uri: String, _ note: UnsafePointer<swiftlet_note>?,
    _ descriptor: (UInt32) -> UnsafePointer<LV2_Descriptor>?
  ) -> UnsafePointer<LV2_Descriptor>? {
    withThirdPartyCode(SWIFTLET_DESCRIPTOR, note) {
      for number in 0..<mostPlugins {
        guard let found = descriptor(number) else { return nil }
        if let name = found.pointee.URI, strcmp(name, uri) == 0 { return found }
      }
      return nil
    }
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
      withThirdPartyCode(SWIFTLET_LOADING, note) { dlopen(path, RTLD_NOW | RTLD_NODELETE) }
    }
    if let library = load() { return library }
    guard let reason = dlerror() else { return nil }
    // Debian's swh plugins use this library without linking to it.
    if strstr(reason, "fftwf_") != nil { _ = dlopen("libfftw3f.so.3", RTLD_NOW | RTLD_GLOBAL) }
    // Retried also to get the error message again, which dlerror returns only once.
    return load()
  }
}
