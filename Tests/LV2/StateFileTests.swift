// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Testing

@testable import SwiftletLV2

/// Files that plugins write into states, and states that cannot be saved.
@Suite(.timeLimit(.minutes(2))) struct StateFileTests {
  private let folder: FixtureFolder

  init() throws { folder = try FixtureFolder() }

  /// Adds a plugin that outputs a number. When it saves, it writes the number to a file that it has the host name by
  /// `makePath`, and stores the file's abstract path. If the file `other` has a path, it stores that path, too.
  private func addFiler() throws -> String {
    try folder.add(
      "filer", ports: FixtureFolder.throughPorts,
      more:
        "; lv2:requiredFeature urid:map , state:makePath , state:mapPath ; lv2:extensionData state:interface",
      code: """
        #include <stdio.h>
        INSTANTIATE(start) { return make(rate, features); }
        static LV2_URID urid(Self *s, const char *uri) {
          LV2_URID_Map *map = feature(s->features, LV2_URID__map); return map->map(map->handle, uri);
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h;
          if (s->port[0][0] > 1) s->state[0] = s->port[0][0];
          for (uint32_t k = 0; k < n; ++k) s->port[1][k] = s->state[0];
        }
        static int keep(Self *s, LV2_State_Store_Function store, LV2_State_Handle r, const char *key, const char *path,
          const LV2_Feature *const *f) {
          LV2_State_Map_Path *map = feature(f, LV2_STATE__mapPath);
          LV2_State_Free_Path *end = feature(f, LV2_STATE__freePath);
          char *abstract = map->abstract_path(map->handle, path);
          if (!abstract) return 1;
          int status = store(r, urid(s, key), abstract, strlen(abstract) + 1, urid(s, LV2_ATOM__Path),
            LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
          end->free_path(end->handle, abstract);
          return status;
        }
        static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle r, uint32_t flags,
          const LV2_Feature *const *f) {
          Self *s = h;
          LV2_State_Make_Path *make_path = feature(f, LV2_STATE__makePath);
          LV2_State_Free_Path *end = feature(f, LV2_STATE__freePath);
          char other[1000] = "";
          FILE *asked = fopen("\(folder.path)/other", "r");
          if (asked) { fgets(other, sizeof other, asked); fclose(asked); }
          if (other[0] && keep(s, store, r, "urn:filer#other", other, f)) return 1;
          char *path = make_path->path(make_path->handle, "numbers/value");
          FILE *file = path ? fopen(path, "w") : 0;
          if (!file) return 1;
          fprintf(file, "%ld", s->state[0]);
          fclose(file);
          int status = keep(s, store, r, "urn:filer#value", path, f);
          end->free_path(end->handle, path);
          return status;
        }
        static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle r,
          uint32_t flags, const LV2_Feature *const *f) {
          Self *s = h; size_t size; uint32_t type, kind;
          LV2_State_Map_Path *map = feature(f, LV2_STATE__mapPath);
          LV2_State_Free_Path *end = feature(f, LV2_STATE__freePath);
          const char *abstract = retrieve(r, urid(s, "urn:filer#value"), &size, &type, &kind);
          if (!abstract || type != urid(s, LV2_ATOM__Path)) return 1;
          char *path = map->absolute_path(map->handle, abstract);
          FILE *file = path ? fopen(path, "r") : 0;
          if (file) { fscanf(file, "%ld", &s->state[0]); fclose(file); }
          end->free_path(end->handle, path);
          return 0;
        }
        static const void *extension(const char *uri) {
          static const LV2_State_Interface state = {save, restore};
          return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
        }
        EXPORT(start, 0, run, extension)
        """)
  }

  private func layout(isolated: Bool) -> PluginLayout {
    PluginLayout(
      sampleRate: 48_000, longestBlock: 256, channels: 1,
      isolation: isolated ? PluginIsolation(deadline: 5) : nil)
  }

  private func save(_ processor: PluginProcessor, _ name: String) throws {
    try processor.save(stateTo: folder.path + "/" + name, isPlaying: { false })
  }

  /// Loads a state into a new instance, and returns its number.
  private func number(_ uri: String, _ name: String, isolated: Bool) throws -> Float {
    let (processor, rig) = try folder.world.rig(uri, layout(isolated: isolated))
    try processor.load(stateFrom: folder.path + "/" + name, isPlaying: { false })
    return rig.play([[0]])[0][0]
  }

  @Test(arguments: [false, true])
  func `a file that a plugin makes for its state is in the state's folder, which can be moved`(isolated: Bool)
    throws
  {
    let uri = try addFiler()
    let (processor, rig) = try folder.world.rig(uri, layout(isolated: isolated))
    #expect(rig.play([[42]]) == [[42]])
    try save(processor, "one.state")
    let text = try String(contentsOfFile: folder.path + "/one.state/state.ttl", encoding: .utf8)
    #expect(text.contains("<numbers/value>") && !text.contains(folder.path), "\(text)")
    // The second state has a file of its own until it has replaced the first one.
    #expect(rig.play([[43]]) == [[43]])
    try save(processor, "one.state")
    try FileManager.default.moveItem(
      atPath: folder.path + "/one.state", toPath: folder.path + "/moved.state")
    for other in [false, true] { #expect(try number(uri, "moved.state", isolated: other) == 43) }
  }

  @Test(arguments: [false, true])
  func `if a file cannot be copied while a state is saved, the old state can be loaded`(isolated: Bool) throws
  {
    let uri = try addFiler()
    let (processor, rig) = try folder.world.rig(uri, layout(isolated: isolated))
    rig.play([[42]])
    try folder.write("kept sound", to: "kept.wav")
    try folder.write(folder.path + "/kept.wav", to: "other")
    try save(processor, "old.state")
    func files() throws -> [String: Data] {
      let root = folder.path + "/old.state"
      let names = try FileManager.default.subpathsOfDirectory(atPath: root)
      return Dictionary(
        uniqueKeysWithValues: names.compactMap { name in
          FileManager.default.contents(atPath: root + "/" + name).map { (name, $0) }
        })
    }
    let before = try files()
    #expect(Set(before.keys).isSuperset(of: ["kept.wav", "numbers/value", "state.ttl", "manifest.ttl"]))
    // A file that can be opened, and not read from its beginning.
    try folder.write("/proc/self/mem", to: "other")
    rig.play([[43]])
    let error = #expect(throws: PluginError.self) { try save(processor, "old.state") }
    #expect(
      "\(error, default: "none")".contains("/proc/self/mem")
        || "\(error, default: "none")".contains("old.state"))
    let after = try files()
    for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
    #expect(!after.keys.contains { $0.contains("mem") }, "\(after.keys)")
    for other in [false, true] { #expect(try number(uri, "old.state", isolated: other) == 42) }
    // Without the file the new state replaces the old one.
    try FileManager.default.removeItem(atPath: folder.path + "/other")
    try save(processor, "old.state")
    #expect(try number(uri, "old.state", isolated: isolated) == 43)
  }
}
