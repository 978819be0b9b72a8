// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletDisk

/// A temporary folder for one test; removed at deinitialization.
final class Scratch {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/swiftlet-disk-\(UUID())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  subscript(_ name: String) -> String { path + "/" + name }
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
  func text(_ name: String) -> String? { try? String(contentsOfFile: self[name], encoding: .utf8) }
  func write(_ text: String, to name: String) throws {
    try text.write(toFile: self[name], atomically: false, encoding: .utf8)
  }
}

func put(_ text: String, into file: NewFile) {
  let bytes = Array(text.utf8)
  #expect(write(file.descriptor, bytes, bytes.count) == bytes.count)
}

@Suite struct NewFileTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(arguments: [NewFile.Naming.whole(overwrites: false), .wholeByProgram(overwrites: false)])
  func `a file has a hidden temporary name until it is published`(_ naming: NewFile.Naming) throws {
    let file = try NewFile(scratch["a.wav"], naming)
    #expect(scratch.names.count == 1 && scratch.names.allSatisfy { TemporaryName.matches($0, for: "a.wav") })
    #expect(throws: DiskError.busy) { try NewFile(scratch["a.wav"], naming) }
    put("sound", into: file)
    try scratch.write("mine", to: "a.wav")
    #expect(throws: DiskError.system(EEXIST)) { try file.publish() }
    #expect(scratch.text("a.wav") == "mine")
    unlink(scratch["a.wav"])
    try file.publish()
    #expect(scratch.text("a.wav") == "sound")
    #expect(scratch.names == ["a.wav"])
    file.discard()
    #expect(scratch.names == [])
  }

  @Test func `the file of an external program is in a folder that only this user may enter`() throws {
    let file = try NewFile(scratch["a.m4a"], .wholeByProgram(overwrites: false))
    var facts = stat()
    #expect(stat(FilePath.folder(of: file.currentPath), &facts) == 0 && facts.st_mode & 0o777 == 0o700)
    #expect(FilePath.name(of: file.currentPath) == "a.m4a")
  }

  @Test(arguments: Renaming.Attempt.allCases)
  func `each rename method takes a free name and throws EEXIST for a taken one`(_ attempt: Renaming.Attempt)
    throws
  {
    let folder = try OpenFolder(scratch.path)
    for name in ["old", "other"] { try scratch.write(name, to: name) }
    try Renaming.rename("old", to: "new", in: folder.descriptor, overwrites: false, trying: [attempt])
    #expect(scratch.text("new") == "old")
    #expect(throws: DiskError.system(EEXIST)) {
      try Renaming.rename("other", to: "new", in: folder.descriptor, overwrites: false, trying: [attempt])
    }
    #expect(scratch.names == ["new", "other"] && scratch.text("new") == "old")
  }

  @Test func `an overwritten file stays until the new one is published`() throws {
    try scratch.write("old", to: "a.wav")
    #expect(throws: DiskError.system(EEXIST)) { try NewFile(scratch["a.wav"], .whole(overwrites: false)) }
    #expect(throws: DiskError.system(EEXIST)) { try NewFile(scratch["a.wav"], .named) }
    let file = try NewFile(scratch["a.wav"], .whole(overwrites: true))
    put("new", into: file)
    #expect(scratch.text("a.wav") == "old")
    try file.publish()
    #expect(scratch.text("a.wav") == "new")
    // The overwritten file cannot be restored, so the new one stays.
    file.discard()
    #expect(scratch.names == ["a.wav"])
  }

  @Test(arguments: [
    NewFile.Naming.named, .whole(overwrites: false), .whole(overwrites: true),
    .wholeByProgram(overwrites: true),
  ])
  func `a planted link is refused and its target is unchanged`(_ naming: NewFile.Naming) throws {
    try scratch.write("precious", to: "diary")
    for (link, target) in [("a.wav", "diary"), ("b.wav", "nowhere"), ("c.wav", "/dev/null")] {
      symlink(target, scratch[link])
      #expect(throws: DiskError.self) {
        let file = try NewFile(scratch[link], naming)
        put("sound", into: file)
        try file.publish()
      }
    }
    #expect(scratch.text("diary") == "precious")
    #expect(scratch.text("nowhere") == nil)
  }

  @Test func `a link that is planted while a file is written is not followed`() throws {
    try scratch.write("precious", to: "diary")
    let file = try NewFile(scratch["a.wav"], .whole(overwrites: true))
    put("sound", into: file)
    symlink("diary", scratch["a.wav"])
    #expect(throws: DiskError.link) { try file.publish() }
    #expect(scratch.text("diary") == "precious")
  }

  @Test func `a pipe is refused without waiting, and a device takes bytes`() throws {
    mkfifo(scratch["pipe"], 0o600)
    #expect(throws: DiskError.pipe) { try NewFile(scratch["pipe"], .whole(overwrites: true)) }
    #expect(throws: DiskError.system(EISDIR)) { try NewFile(scratch.path, .named) }
    let device = try NewFile("/dev/null", .whole(overwrites: true))
    put("sound", into: device)
    try device.publish()
    device.discard()
    #expect(access("/dev/null", F_OK) == 0)
  }

  @Test func `a device or pipe with the name of a new file in an open folder is refused`() throws {
    let devices = try OpenFolder("/dev")
    #expect(throws: DiskError.special) { try NewFile("/dev/null", in: devices, .named) }
    mkfifo(scratch["a.wav.new"], 0o600)
    let folder = try OpenFolder(scratch.path)
    #expect(throws: DiskError.pipe) { try NewFile(scratch["a.wav.new"], in: folder, .named) }
  }

  @Test func `a file is published in its folder even if the folder was renamed`() throws {
    mkdir(scratch["one"], 0o700)
    let file = try NewFile(scratch["one/a.wav"], .whole(overwrites: false))
    put("sound", into: file)
    #expect(rename(scratch["one"], scratch["two"]) == 0)
    try file.publish()
    #expect(scratch.text("two/a.wav") == "sound")
  }

  @Test func `a scratch file is removed with its owner`() throws {
    do {
      let file = try NewFile(scratch["a.wav"], .scratch)
      #expect(scratch.names.count == 1)
      withExtendedLifetime(file) {}
    }
    #expect(scratch.names == [])
  }

  @Test func `temporary names are recognized, and are at most 255 bytes long`() {
    let long = String(repeating: "é", count: 127)
    for name in ["a", "a.wav", ".hidden", long] {
      let made = TemporaryName.make(for: name)
      #expect(TemporaryName.matches(made) && TemporaryName.matches(made, for: name))
      #expect(made.utf8.count <= 255)
    }
    for name in ["", "a.wav", ".swiftlet-abcdefghijkl", ".a.swiftlet-abc", ".a.swiftlet-ABCDEFGHIJKL"] {
      #expect(!TemporaryName.matches(name), "\(name)")
    }
    #expect(!TemporaryName.matches(TemporaryName.make(for: "a.wav"), for: "b.wav"))
  }
}
