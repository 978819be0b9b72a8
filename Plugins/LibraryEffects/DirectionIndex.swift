// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A spatial index that finds the nearest of many directions by comparing only few of them.
///
/// The six faces of a cube around the listener are divided into squares. For each square, the index stores every
/// direction that can be among the nearest to any direction in the square: those whose distance from the square's
/// centre is at most that of the last of the centre's own nearest directions plus twice the distance from the centre to
/// the corners. The index is created on a control thread and read on the audio thread.
@safe struct DirectionIndex: ~Copyable {
  /// The number of directions that ``nearest(to:)`` returns.
  static var depth: Int { @_noLocks @_noAllocation get { 5 } }
  /// The number of squares in a row of a face.
  private static var side: Int { @_noLocks @_noAllocation get { 16 } }

  /// The directions, as unit vectors.
  let directions: UnsafeMutableBufferPointer<SIMD3<Float>>
  /// The index of each square's first candidate in the list of candidates, and the list.
  private let starts: UnsafeMutableBufferPointer<Int32>
  private let candidates: UnsafeMutableBufferPointer<Int32>

  /// Creates an index of at least one direction.
  init(_ all: [SIMD3<Float>]) {
    var starts: [Int32] = [0], candidates: [Int32] = []
    for face in 0..<6 {
      for row in 0..<Self.side {
        for column in 0..<Self.side {
          candidates += Self.candidates(face, row, column, among: all)
          starts.append(Int32(candidates.count))
        }
      }
    }
    unsafe directions = .allocate(capacity: all.count)
    _ = unsafe directions.initialize(fromContentsOf: all)
    unsafe self.starts = .allocate(capacity: starts.count)
    _ = unsafe self.starts.initialize(fromContentsOf: starts)
    unsafe self.candidates = .allocate(capacity: candidates.count)
    _ = unsafe self.candidates.initialize(fromContentsOf: candidates)
  }

  deinit {
    unsafe directions.deallocate()
    unsafe starts.deallocate()
    unsafe candidates.deallocate()
  }

  /// Returns the directions nearest to `direction`, the nearest first: ``depth`` of them, or all if there are fewer.
  @_noLocks @_noAllocation func nearest(to direction: SIMD3<Float>) -> NearDirections {
    let square = Self.square(of: direction)
    var found = NearDirections()
    for index in unsafe Int(starts[square])..<Int(starts[square + 1]) {
      let number = unsafe Int(candidates[index])
      let way = unsafe directions[number] - direction
      found.add(number, (way * way).sum())
    }
    return found
  }

  /// Returns the square through which a direction points.
  @_noLocks @_noAllocation private static func square(of direction: SIMD3<Float>) -> Int {
    let size = SIMD3(abs(direction.x), abs(direction.y), abs(direction.z))
    var axis = 0
    if size.y > size.x { axis = 1 }
    if size.z > max(size.x, size.y) { axis = 2 }
    let depth = direction[axis], across = direction[(axis + 1) % 3], along = direction[(axis + 2) % 3]
    let scale = Float(side) / 2 / max(abs(depth), 1e-6)
    let column = min(max(Int(across * scale + Float(side) / 2), 0), side - 1)
    let row = min(max(Int(along * scale + Float(side) / 2), 0), side - 1)
    return ((2 * axis + (depth < 0 ? 1 : 0)) * side + row) * side + column
  }

  private static func candidates(
    _ face: Int, _ row: Int, _ column: Int, among all: [SIMD3<Float>]
  ) -> [Int32] {
    func direction(_ across: Float, _ along: Float) -> SIMD3<Float> {
      var point = SIMD3<Float>()
      point[face / 2] = face % 2 == 0 ? 1 : -1
      point[(face / 2 + 1) % 3] = across * 2 / Float(side) - 1
      point[(face / 2 + 2) % 3] = along * 2 / Float(side) - 1
      return point / distance(point, SIMD3())
    }
    let middle = direction(Float(column) + 0.5, Float(row) + 0.5)
    var reach: Float = 0
    for corner in 0..<4 {
      reach = max(
        reach, distance(middle, direction(Float(column + corner % 2), Float(row + corner / 2))))
    }
    let ways = all.map { distance(middle, $0) }
    var found = NearDirections()
    for (number, way) in ways.enumerated() { found.add(number, way * way) }
    // The factor is slightly above two, for rounding errors.
    let limit = found.count < depth ? 3 : ways[found[depth - 1].number] + 2.001 * reach + 1e-4
    return ways.indices.filter { ways[$0] <= limit }.map { Int32($0) }
  }

  private static func distance(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Float {
    let way = one - other
    return (way * way).sum().squareRoot()
  }
}

/// A list of directions near to another direction, the nearest first.
struct NearDirections: BitwiseCopyable {
  /// The number of directions in the list, up to ``DirectionIndex/depth``.
  private(set) var count = 0
  private var numbers = SIMD8<Int32>(repeating: 0)
  private var squares = SIMD8<Float>(repeating: .infinity)

  @_noLocks @_noAllocation init() {}

  /// The index of a direction, and the square of its Euclidean distance, from 0 to 4.
  subscript(rank: Int) -> (number: Int, square: Float) {
    @_noLocks @_noAllocation get { (Int(numbers[rank]), squares[rank]) }
  }

  /// Inserts a direction in order of distance if it is near enough.
  @_noLocks @_noAllocation mutating func add(_ number: Int, _ square: Float) {
    guard square < squares[DirectionIndex.depth - 1] else { return }
    count = min(count + 1, DirectionIndex.depth)
    var rank = count - 1
    while rank > 0 {
      guard squares[rank - 1] > square else { break }
      numbers[rank] = numbers[rank - 1]
      squares[rank] = squares[rank - 1]
      rank -= 1
    }
    numbers[rank] = Int32(truncatingIfNeeded: number)
    squares[rank] = square
  }
}
