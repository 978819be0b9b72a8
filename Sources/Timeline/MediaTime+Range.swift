// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Range<MediaTime> {
  /// Creates the range between two times from outside the program, where `..<` would trap if they were swapped.
  ///
  /// - Throws: ``TimeError/backwards(from:to:)``.
  public init(from start: MediaTime, to end: MediaTime) throws(TimeError) {
    guard start <= end else { throw .backwards(from: start, to: end) }
    self = start..<end
  }

  /// As ``init(from:to:)``, for decoded times.
  init(from start: MediaTime, to end: MediaTime, codingPath: [any CodingKey]) throws {
    do { try self.init(from: start, to: end) } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(error)"))
    }
  }
}
