// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletDisk

@Suite struct FolderTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `missing folders are created, and listed from the innermost`() throws {
    let folder = try OpenFolder(scratch["a/b"], makes: true)
    #expect(folder.made == [scratch["a/b"], scratch["a"]])
    #expect(folder.isInPlace && folder.currentPath?.hasSuffix("/a/b") == true)
    #expect(throws: DiskError.system(ENOENT)) { try OpenFolder(scratch["x/y"]) }
  }

  @Test func `a path relative to a folder cannot leave that folder`() throws {
    let root = scratch["takes"]
    let inside = try OpenFolder(beneath: root, "day/one")
    #expect(inside.path == root + "/day/one")
    mkdir(scratch["elsewhere"], 0o700)
    symlink(scratch["elsewhere"], root + "/out")
    symlink("../elsewhere", root + "/up")
    for path in ["..", "day/../../elsewhere", "out", "up", "out/deeper", "/tmp"] {
      #expect(throws: DiskError.outside, "\(path)") { try OpenFolder(beneath: root, path) }
    }
    #expect(scratch.names == ["elsewhere", "takes"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch["elsewhere"]) == [])
    // A link that stays inside the folder is followed.
    symlink("day", root + "/today")
    #expect((try? OpenFolder(beneath: root, "today/two")) != nil)
  }

  @Test func `leftover temporary files are removed unless a writer holds them`() throws {
    let folder = try OpenFolder(scratch.path)
    func plant(_ name: String) throws -> String {
      let name = TemporaryName.make(for: name)
      try scratch.write("left", to: name)
      return name
    }
    _ = try plant("a.wav")
    let other = try plant("b.wav")
    let program = TemporaryName.make(for: "a.wav")
    mkdir(scratch[program], 0o700)
    try scratch.write("left", to: program + "/a.wav")
    try scratch.write("mine", to: "a.wav")
    let held = try NewFile(scratch["c.wav"], .whole(overwrites: false))
    let byProgram = try NewFile(scratch["d.wav"], .wholeByProgram(overwrites: false))
    // A file that was created just now may have no lock yet.
    #expect(Leftovers.remove(in: folder) == [])
    sleep(2)
    Leftovers.remove(in: folder, of: "a.wav")
    let writing = [held.currentName, FilePath.folder(of: byProgram.currentName)]
    #expect(scratch.names == (["a.wav", other] + writing).sorted())
    Leftovers.remove(in: folder)
    #expect(scratch.names == (["a.wav"] + writing).sorted())
    let new = try plant("e.wav")
    #expect(Leftovers.remove(in: folder, waits: true) == [new])
    #expect(scratch.names == (["a.wav"] + writing).sorted())
  }

  @Test func `a folder lists names that are not valid UTF-8, and opens them`() throws {
    let wrong = Array("a".utf8) + [0xFF, 0xE2, 0x82] + Array("ä€".utf8)
    let path = (Array((scratch.path + "/").utf8) + wrong).map { CChar(bitPattern: $0) } + [0]
    try #require(mkdir(path, 0o700) == 0)
    defer { rmdir(path) }
    try scratch.write("text", to: "b")
    let folder = try OpenFolder(scratch.path)
    let names = try FolderListing.names(in: folder)
    #expect(Set(names) == [wrong, Array("b".utf8)])
    #expect(FolderListing.text(wrong) == nil && FolderListing.text(Array("b".utf8)) == "b")
    #expect(FolderListing.escaped(wrong) == "a%FF%E2%82ä€")
    #expect(try FolderListing.names(in: OpenFolder(wrong, in: folder)) == [])
    #expect(throws: DiskError.system(ENOTDIR)) { try OpenFolder(Array("b".utf8), in: folder) }
    #expect(RegularFile.head(of: Array("b".utf8), in: folder, count: 2) == Array("te".utf8))
    #expect(RegularFile.head(of: wrong, in: folder, count: 2) == nil)
  }

  @Test func `a lock file has one owner at a time`() throws {
    var first: LockFile? = try LockFile(scratch["lock"])
    #expect(throws: DiskError.system(EWOULDBLOCK)) { try LockFile(scratch["lock"]) }
    first?.remove()
    first = nil
    #expect((try? LockFile(scratch["lock"])) != nil)
    symlink("/etc/hostname", scratch["link"])
    #expect(throws: DiskError.system(ELOOP)) { try LockFile(scratch["link"]) }
  }

  @Test func `sockets and locks go to the first folder that only this user may enter`() throws {
    let runtime = scratch["runtime"], home = scratch["home"]
    mkdir(runtime, 0o700)
    mkdir(home, 0o700)
    let all = ["XDG_RUNTIME_DIR": runtime, "HOME": home]
    #expect(RuntimeFolder.path(all) == runtime + "/swiftlet")
    #expect(RuntimeFolder.all(all).contains(runtime + "/swiftlet"))
    // A folder that others may enter, a link and an empty variable are skipped.
    chmod(runtime + "/swiftlet", 0o755)
    #expect(RuntimeFolder.path(all) != runtime + "/swiftlet")
    rmdir(runtime + "/swiftlet")
    symlink(home, runtime + "/swiftlet")
    #expect(RuntimeFolder.path(all) != runtime + "/swiftlet")
    for variables in [["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "relative"], [:]] {
      let path = RuntimeFolder.path(variables)
      #expect(path == "/run/user/\(getuid())/swiftlet" || path == "/tmp/swiftlet-\(getuid())")
    }
  }

  @Test(arguments: [
    ("takes/a.wav", "takes/a", ".wav"), ("takes.old/a", "takes.old/a", ""), (".wav", ".wav", ""),
    ("a.b.flac", "a.b", ".flac"), ("a.", "a.", ""), ("x", "x", ""), ("", "", ""),
  ])
  func `the extension of a path is that of its last component`(path: String, stem: String, ending: String) {
    #expect(FilePath.ending(of: path) == (stem, ending))
  }
}
