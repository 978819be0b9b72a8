// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet

extension Manifest {
  /// A wire that carries sound or events from one node to another. A wire into a mixer is a channel strip.
  public struct Wire: Sendable, Equatable {
    /// The source.
    public var from: End
    /// The destination.
    public var to: End
    /// The fader gain in dB; −120 is silence.
    public var gain: Double
    /// The gain before the fader and all sends, in dB.
    public var trim = 0.0
    /// The pan, from −1 (left) to 1 (right); nil for no pan.
    public var pan: Double?
    /// The pan law; nil for the default.
    public var panLaw: PanLaw?
    /// The polarity.
    public var phase = Phase.normal
    /// Whether the wire is muted.
    public var isMuted = false
    /// Whether the wire is soloed, which silences the other wires that are mixed with it.
    public var isSolo = false
    /// Whether the wire stays audible while others are soloed.
    public var isSoloSafe = false
    /// The sends: wires from the same source.
    public var sends: [Wire] = []
    /// For a send, whether it is taken before the fader.
    public var isPreFader = false
    /// Whether it is a feedback wire.
    public var isFeedback: Bool
    /// The delay of a feedback wire in frames; nil for the default of 1024.
    public var delay: Int?

    /// Creates a wire. By default it has a gain of 0 dB, no pan and no feedback.
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

    /// Whether all properties but the ends have their defaults.
    var isPlain: Bool { self == Wire(from: from, to: to) }
  }

  /// The polarity of a wire.
  public enum Phase: String, CaseIterable, Sendable {
    /// Unchanged polarity.
    case normal
    /// Inverted polarity.
    case inverted
  }

  /// An end of a wire, or the point of a tap: `node`, `node.bus`, `node[channel]`, `node.bus[channel]`.
  public struct End: Sendable, Equatable {
    /// The node's name.
    public var node: String
    /// The bus's symbol; nil for the first bus that fits.
    public var bus: String?
    /// The channel, counted from 1; nil for all.
    public var channel: Int?
    /// The position in the text.
    public var position: TextPosition

    /// Creates an end.
    public init(_ node: String, bus: String? = nil, channel: Int? = nil, position: TextPosition = .start) {
      self.node = node
      self.bus = bus
      self.channel = channel
      self.position = position
    }
  }

  /// The range of a wire's gain and trim, in dB.
  public static var wireGain: ClosedRange<Float> {
    Float(Limits.wireGain.lowerBound)...Float(Limits.wireGain.upperBound)
  }
}

extension Manifest.End: CustomStringConvertible {
  /// The end in the syntax of a manifest: `music.out[1]`.
  public var description: String {
    node + (bus.map { ".\($0)" } ?? "") + (channel.map { "[\($0)]" } ?? "")
  }

  /// Parses an end; nil for invalid text. The channel is not checked and may be 0.
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
