// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A small SOFA file: two directions, four samples for each ear, in the subset of HDF5 that libmysofa reads.
///
/// The layout follows the HDF5 File Format Specification, version 3: a superblock of version 2, object headers of
/// version 2, and a fractal heap with the links of the root group. Checksums are zero, because libmysofa does not read
/// them.
struct SOFASeed {
  /// The storage of a variable's values and of the names of its dimensions.
  enum Storage {
    /// Uncompressed values, names as text.
    case plain
    /// Values shuffled and deflated in a chunk that a B-tree finds, names as references into a global heap.
    case compressed
  }

  private var bytes = [UInt8](repeating: 0, count: 48)
  private var links: [(name: String, address: Int)] = []
  /// The address of the global heap.
  private var references = 0
  private let storage: Storage

  /// The bytes of a file.
  static func bytes(_ storage: Storage) -> [UInt8] {
    var seed = SOFASeed(storage: storage)
    seed.write()
    return seed.bytes
  }

  private init(storage: Storage) { self.storage = storage }

  private mutating func write() {
    for (name, size) in [("I", 1), ("C", 3), ("R", 2), ("E", 1), ("N", 4), ("M", 2)] {
      addDimension(name, size)
    }
    if storage == .compressed { addReferences() }
    add("ListenerPosition", [1, 3], [0, 0, 0], "IC", [("Type", "cartesian")])
    add("ReceiverPosition", [2, 3, 1], [0, 0.09, 0, 0, -0.09, 0], "RCI", [("Type", "cartesian")])
    add("SourcePosition", [2, 3], [0, 0, 1, 90, 0, 1], "MC", [("Type", "spherical")])
    add("EmitterPosition", [1, 3, 1], [0, 0, 0], "ECI", [("Type", "cartesian")])
    add("Data.SamplingRate", [1], [44_100], "I")
    add("Data.Delay", [1, 2], [0, 0], "IR")
    add("Data.IR", [2, 2, 4], [1, 0, 0, 0, 0.5, 0, 0, 0, 0.25, 0, 0, 0, 1, 0, 0, 0], "MRN")
    let heap = appendHeap()
    let conventions = [
      ("Conventions", "SOFA"), ("SOFAConventions", "SimpleFreeFieldHRIR"), ("DataType", "FIR"),
      ("RoomType", "free field"),
    ]
    let root = append(
      Self.header(
        [Self.message(2, [0, 0] + Self.number(heap) + Self.number(-1))] + conventions.map(Self.attribute)))
    let superblock =
      [0x89] + Array("HDF\r\n\u{1A}\n".utf8) + [2, 8, 8, 0] + Self.number(0) + Self.number(-1)
      + Self.number(bytes.count) + Self.number(root)
    bytes.replaceSubrange(0..<superblock.count, with: superblock)
  }

  private mutating func append(_ part: [UInt8]) -> Int {
    bytes += part
    return bytes.count - part.count
  }

  private mutating func addDimension(_ name: String, _ size: Int) {
    let text = "This is a netCDF dimension but not a netCDF variable. \(size)"
    let header = Self.header([Self.attribute(("CLASS", "DIMENSION_SCALE")), Self.attribute(("NAME", text))])
    links.append((name, append(header)))
  }

  /// Adds a variable of 64-bit floats.
  private mutating func add(
    _ name: String, _ sizes: [Int], _ values: [Double], _ dimensions: String,
    _ attributes: [(String, String)] = []
  ) {
    let space: [UInt8] = [2, UInt8(sizes.count), 0, 1] + sizes.flatMap { Self.number($0) }
    let float: [UInt8] = [0x11, 0x20, 0x3F, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xFF, 3, 0, 0]
    let plain = values.flatMap { Self.number(Int(bitPattern: UInt(UInt64($0.bitPattern)))) }
    var messages = [Self.message(1, space), Self.message(3, float)]
    switch storage {
    case .plain:
      let data = append(plain)
      messages.append(Self.message(8, [3, 1] + Self.number(data) + Self.number(plain.count)))
      let names = dimensions.map { String($0) }.joined(separator: ",")
      messages.append(Self.attribute(("DIMENSION_LIST", names)))
    case .compressed:
      let data = append(Self.deflated(Self.shuffled(plain)))
      var tree = Array("TREE".utf8) + [1, 0, 1, 0] + Self.number(-1) + Self.number(-1)
      tree += Self.number(bytes.count - data, 4) + Self.number(0, 4) + sizes.flatMap { _ in Self.number(0) }
      tree += Self.number(0) + Self.number(data)
      tree += Self.number(0) + sizes.flatMap { Self.number($0) } + Self.number(8) + Self.number(0)
      let chunk = (sizes + [8]).flatMap { Self.number($0, 4) }
      let layout = [3, 2, UInt8(sizes.count + 1)] + Self.number(append(tree + Self.number(0, 4))) + chunk
      // Filter 2 shuffles elements of 8 bytes, filter 1 deflates at level 5.
      let filters: [UInt8] = [2, 2, 2, 0, 0, 0, 1, 0, 8, 0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 0]
      messages += [Self.message(11, filters), Self.message(8, layout), list(of: dimensions)]
    }
    links.append((name, append(Self.header(messages + attributes.map(Self.attribute)))))
  }

  /// Adds the global heap that references to dimensions use. libmysofa finds objects in only one heap.
  private mutating func addReferences() {
    var heap = Array("GCOL".utf8) + [1, 0, 0, 0] + Self.number(4096)
    for (place, link) in links.enumerated() {
      heap += Self.number(place + 1, 2) + Self.number(0, 6) + Self.number(8) + Self.number(link.address)
    }
    references = append(heap + Self.number(0) + Self.number(0))
  }

  /// The attribute that lists dimensions by references into the global heap.
  private func list(of dimensions: String) -> [UInt8] {
    let name = Array("DIMENSION_LIST\0".utf8)
    let type: [UInt8] = [0x19, 0, 0, 0, 16, 0, 0, 0, 0x17, 0, 0, 0, 8, 0, 0, 0]
    let space: [UInt8] = [2, 1, 0, 1] + Self.number(dimensions.count)
    var body: [UInt8] = [3, 0] + Self.number(name.count, 2) + Self.number(type.count, 2)
    body += Self.number(space.count, 2) + [0] + name + type + space
    for dimension in dimensions {
      let place = links.firstIndex { $0.name == String(dimension) } ?? 0
      body += Self.number(1, 4) + Self.number(references) + Self.number(place + 1, 4)
    }
    return Self.message(12, body)
  }

  /// Adds the fractal heap with a link to each object, of one direct block.
  private mutating func appendHeap() -> Int {
    var block = Array("FHDB".utf8) + [0] + Self.number(0) + Self.number(0)
    for (name, address) in links {
      block += [1, 0] + Self.number(0) + [UInt8(name.utf8.count)] + Array(name.utf8) + Self.number(address)
    }
    let root = append(block + [UInt8](repeating: 0, count: 16))
    var heap = Array("FRHP".utf8) + [0] + Self.number(7, 2) + Self.number(0, 2) + [2] + Self.number(4096, 4)
    for value in [0, -1, 0, -1, 512, 512, 512, links.count, 0, 0, 0, 0] { heap += Self.number(value) }
    heap += Self.number(4, 2) + Self.number(512) + Self.number(1024) + Self.number(32, 2) + Self.number(1, 2)
    return append(heap + Self.number(root) + Self.number(0, 2) + Self.number(0, 4))
  }

  /// An object header with these messages.
  private static func header(_ messages: [[UInt8]]) -> [UInt8] {
    let body = messages.flatMap(\.self)
    return Array("OHDR".utf8) + [2, 2] + number(body.count, 4) + body + number(0, 4)
  }

  private static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    [type] + number(body.count, 2) + [0] + body
  }

  /// An attribute that is a text.
  private static func attribute(_ attribute: (name: String, value: String)) -> [UInt8] {
    let name = Array(attribute.name.utf8) + [0], value = Array(attribute.value.utf8)
    let head: [UInt8] = [3, 0] + number(name.count, 2) + [8, 0, 4, 0, 0]
    return message(12, head + name + [0x13, 0, 0, 0] + number(value.count, 4) + [2, 0, 0, 0] + value)
  }

  /// The first bytes of all values, then their second bytes, and so on.
  private static func shuffled(_ bytes: [UInt8]) -> [UInt8] {
    (0..<8).flatMap { place in stride(from: place, to: bytes.count, by: 8).map { bytes[$0] } }
  }

  /// A zlib stream with one stored, uncompressed block.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var low = 1, high = 0
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let sum = Array(number(high << 16 | low, 4).reversed())
    return [0x78, 1, 1] + number(bytes.count, 2) + number(~bytes.count, 2) + bytes + sum
  }

  /// The lowest bytes of a number, lowest first.
  private static func number(_ value: Int, _ count: Int = 8) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
