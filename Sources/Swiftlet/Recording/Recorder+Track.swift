// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

extension Recorder {
  /// The storage and start of takes.
  public struct Options: Sendable {
    package var format: String?, rate: Double?, quality: CodingQuality?, overwrites: Bool, isArmed: Bool
    package var output: AudioNode?

    /// Creates the options of a take.
    ///
    /// - Parameters:
    ///   - format: the name of a ``SampleEncoding``, such as `24-bit`, `ima4` or `aac`; default: the best that the
    ///     container supports.
    ///   - rate: the sample rate of the file in Hz, a whole number from 8000 to 192000; default: the rate of the
    ///     engine.
    ///   - quality: the quality of a lossy codec; default: a quality that few listeners can tell from the original.
    ///   - overwrites: whether to replace an existing file; default: false.
    ///   - isArmed: whether ``Recorder/start(_:)`` starts the take only if its tap is named; default: false.
    ///   - output: the output node through which the performer hears the other tracks. The take is then moved earlier
    ///     by the latency from the graph to the performer's ears and from the performer to the tap's input nodes, as
    ///     JACK reports it when the take starts: what is sung to the first frame of a player is in the same frame of
    ///     the take. Default: nil, which does not move the take.
    public init(
      format: String? = nil, rate: Double? = nil, quality: CodingQuality? = nil, overwrites: Bool = false,
      isArmed: Bool = false, heardThrough output: AudioNode? = nil
    ) {
      (self.format, self.rate, self.quality) = (format, rate, quality)
      (self.overwrites, self.isArmed, self.output) = (overwrites, isArmed, output)
    }

    /// Returns the format of a file with this name.
    func format(of path: String) throws(FileError) -> RecordingFormat {
      try RecordingFormat(path: path, named: format, rate: rate, quality: quality)
    }
  }

  /// A bus that can be recorded, and its take.
  struct Track {
    let tap: String
    let meter: Meter
    let file: String
    let options: Options
    /// Whether the file must stay in the recorder's folder.
    let isConfined: Bool
    /// The file of the take that is running, or has ended by itself; nil after it was stopped.
    var path: String?
    /// The number of frames by which a running take begins later in the tap than at its source.
    var lateness: Int64 = 0
    /// The instant at which a running take ends by itself.
    var end: Int64?
  }
}
