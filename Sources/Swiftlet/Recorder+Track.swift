// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

extension Recorder {
  /// How takes are stored and started.
  public struct Options: Sendable {
    package var format: String?, rate: Double?, quality: CodingQuality?, overwrites: Bool, isArmed: Bool
    package var output: AudioNode?

    /// The options of a take.
    ///
    /// - Parameters:
    ///   - format: the name of a ``SampleEncoding``, such as `24-bit`, `ima4` or `aac`; default: the best that the container
    ///     takes.
    ///   - rate: frames a second in the file, a whole number from 8000 to 192000; default: the rate of the engine.
    ///   - quality: how much a lossy codec may leave out; default: what few ears can tell from the original.
    ///   - overwrites: whether a file that exists is replaced; default: false.
    ///   - isArmed: whether ``Recorder/start(_:)`` starts the take only if its tap is named; default: false.
    ///   - output: the output node through which the performer hears the other tracks. The take is then moved earlier by the
    ///     latency from the graph to the ears and from the performer to the tap's input nodes, as JACK reports it when the take
    ///     starts: what is sung to the first frame of a player is in the same frame of the take. Default: nil, which leaves the
    ///     take as it comes in.
    public init(
      format: String? = nil, rate: Double? = nil, quality: CodingQuality? = nil, overwrites: Bool = false,
      isArmed: Bool = false, heardThrough output: AudioNode? = nil
    ) {
      (self.format, self.rate, self.quality) = (format, rate, quality)
      (self.overwrites, self.isArmed, self.output) = (overwrites, isArmed, output)
    }

    /// The format of a file with this name.
    func format(of path: String) throws(FileError) -> RecordingFormat {
      try RecordingFormat(path: path, named: format, rate: rate, quality: quality)
    }
  }

  /// A bus that can be recorded.
  struct Track {
    let tap: String
    let meter: Meter
    let file: String
    let options: Options
    /// Whether the file may not leave the recorder's folder.
    let isConfined: Bool
    /// The file of the take that runs, or ended by itself; nil where it was stopped.
    var path: String?
    /// How much later than its instant a running take begins in the tap.
    var lateness: Int64 = 0
    /// The instant before which a running take ends by itself.
    var end: Int64?
  }
}
