// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet

extension Manifest {
  /// What carries sound or events from one node to another; into a mixer, what consoles call a strip.
  public struct Wire: Sendable, Equatable {
    /// Where it comes from.
    public var from: End
    /// Where it leads.
    public var to: End
    /// Its fader, in decibels; -120 is silence.
    public var gain: Double
    /// How much louder the sound is before the fader and all sends, in decibels.
    public var trim = 0.0
    /// Where in the stereo field it puts the sound: -1 is left, 1 is right; nil leaves it where it is.
    public var pan: Double?
    /// How both sides share what is panned; nil for the usual law.
    public var panLaw: PanLaw?
    /// Whether the wave is turned over.
    public var phase = Phase.normal
    /// Whether nothing passes.
    public var isMuted = false
    /// Whether all that its sound is mixed with on its way is silent.
    public var isSolo = false
    /// Whether it is heard while others are soloed.
    public var isSoloSafe = false
    /// Where its sound goes besides: wires that start where it does.
    public var sends: [Wire] = []
    /// Of a send, whether it leaves before the fader.
    public var isPreFader = false
    /// Whether it leads back into what feeds it.
    public var isFeedback: Bool
    /// How late a feedback wire is, in frames; nil for the usual 1024.
    public var delay: Int?

    /// A wire that differs from the defaults only in what is said.
    public init(
      from: End, to: End, gain: Double = 0, pan: Double? = nil, isFeedback: Bool = false, delay: Int? = nil
    ) {
      self.from = from
      self.to = to
      self.gain = gain
      self.pan = pan
      self.isFeedback = isFeedback
      self.delay = delay
    }

    /// Whether nothing is said of it but its ends.
    var isPlain: Bool { self == Wire(from: from, to: to) }
  }

  /// Whether a wave is as it was, or turned over.
  public enum Phase: String, CaseIterable, Sendable {
    /// As it was.
    case normal
    /// Turned over.
    case inverted
  }

  /// One end of a wire, or the point of a tap: `node`, `node.bus`, `node[channel]`, `node.bus[channel]`.
  public struct End: Sendable, Equatable {
    /// The node.
    public var node: String
    /// The bus; nil for the first that fits.
    public var bus: String?
    /// The channel, counted from 1; nil for all.
    public var channel: Int?
    /// Where it is written.
    public var place: Place

    /// An end at a node.
    public init(_ node: String, bus: String? = nil, channel: Int? = nil, place: Place = .start) {
      self.node = node
      self.bus = bus
      self.channel = channel
      self.place = place
    }
  }
}

extension Manifest {
  /// The gain and the trim that a wire may have, in decibels.
  public static var wireGain: ClosedRange<Float> {
    Float(Limits.wireGain.lowerBound)...Float(Limits.wireGain.upperBound)
  }
}

extension Manifest.End: CustomStringConvertible {
  /// The end as a manifest writes it: `music.out[1]`.
  public var description: String {
    node + (bus.map { ".\($0)" } ?? "") + (channel.map { "[\($0)]" } ?? "")
  }

  /// Reads an end; nil where the text is none. The channel is what is written, 0 too.
  init?(reading written: String) {
    var rest = written.utf8[...]
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    func word() -> String? {
      let word = rest.prefix { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
      rest = rest[word.endIndex...]
      return word.isEmpty ? nil : String(Substring(word))
    }
    func skip(_ sign: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: sign) else { return false }
      rest = rest.dropFirst()
      return true
    }
    rest = rest.drop(while: isBlank)
    guard let node = word() else { return nil }
    self.init(node)
    if skip(".") {
      guard let bus = word() else { return nil }
      self.bus = bus
    }
    if skip("[") {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest[digits.endIndex...]
      guard digits.count <= 3, let channel = Int(Substring(digits)), skip("]") else { return nil }
      self.channel = channel
    }
    guard rest.allSatisfy(isBlank) else { return nil }
  }
}
