// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An error of a JACK server or client. Its description is one sentence that says what failed and what to do.
@nonexhaustive public enum JackError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No server of this name runs.
  case noServer(String)
  /// The server is there, but does not answer.
  case noAnswer(String)
  /// A client of this name is there already.
  case nameTaken(String)
  /// A name that JACK does not take: empty, too long, or with a colon in it.
  case badName(String, longest: Int)
  /// A server's name that is empty, or longer than libjack bears: it writes past its buffers then.
  case badServer(String, longest: Int)
  /// The server speaks another version of the protocol than the library we are linked to.
  case versionMismatch(server: String)
  /// The server is there, but let us not in; `status` holds the bits of `jack_status_t`.
  case serverFailed(server: String, status: Int)
  /// The server came back at another rate than the one that the client's sound is made for.
  case otherRate(server: String, rate: Double, wanted: Double)
  /// This process is a client of another server; libjack serves one at a time.
  case otherServer(open: String, wanted: String)
  /// A node of this name has ports already.
  case duplicateNode(String)
  /// A number of channels that a node cannot have.
  case channels(node: String, Int)
  /// The client has as many input or output nodes as it can have.
  case tooManyNodes(node: String, most: Int)
  /// The server gave no port: its ports are used up, or the name is taken.
  case portRefused(String)
  /// The server did not let the client run.
  case notActivated(String)
  /// The server did not make a connection.
  case notConnected(source: String, destination: String)
  /// The server did not take another period, of so many frames.
  case periodRefused(Int)
  /// A pattern of ports that cannot be read.
  case badPattern(String)
  /// A hardware port is given by its number, `physical:2`, where ports are given by their names.
  case countedPort(String)
  /// The client has left its server.
  case closed(String)
  /// The program `jackd` is not installed.
  case noServerProgram
  /// As many private servers run as we allow on a machine.
  case tooManyServers(most: Int)
  /// All eight servers that jackd2 allows on a machine run, or were killed without releasing their slots.
  case noPlaceLeft
  /// A private server ended before it took clients; the text is its last words.
  case dummyFailed(String)

  public var description: String {
    switch self {
    case .noServer(let server):
      "no JACK server '\(server)' is running; start one or name another"
    case .noAnswer(let server):
      "the JACK server '\(server)' does not answer: it hangs; end it, start it anew and try again"
    case .nameTaken(let name):
      "JACK has a client named '\(name)' already; choose another name"
    case .badName(let name, let longest):
      "'\(name)' is no name for JACK: it takes 1 to \(longest) bytes without a colon"
    case .badServer(let server, let longest):
      "'\(server.count > 24 ? "\(server.prefix(24))…" : server)' is no name for a JACK server: it takes 1 to \(longest) bytes"
    case .versionMismatch(let server):
      "the JACK server '\(server)' speaks another version than the library here; update one of them"
    case .serverFailed(let server, let status):
      "the JACK server '\(server)' refused us (status 0x\(String(status, radix: 16))); see its messages"
    case .otherRate(let server, let rate, let wanted):
      "the JACK server '\(server)' runs at \(Int(rate)) Hz, but this client's sound is made for \(Int(wanted)) Hz: start the "
        + "server at \(Int(wanted)) Hz, or this program anew"
    case .otherServer(let open, let wanted):
      "this program is a client of JACK server '\(open)'; leave it before joining '\(wanted)'"
    case .duplicateNode(let node): "node '\(node)' has ports already; give the other a name of its own"
    case .channels(let node, let count): "node '\(node)' cannot have \(count) channels; it takes 1 to 64"
    case .tooManyNodes(let node, let most):
      "node '\(node)' is one too many: a client has at most \(most) ways in and \(most) ways out"
    case .portRefused(let port):
      "the JACK server gave no port '\(port)': the name is taken, or all its ports are (jackd --port-max)"
    case .notActivated(let name): "the JACK server did not let client '\(name)' run; see its messages"
    case .notConnected(let source, let destination):
      "JACK did not connect '\(source)' to '\(destination)'; see if both are there and fit (jack_lsp -t)"
    case .periodRefused(let frames):
      "the JACK server does not take a period of \(frames) frames; ask for another, or start the server with it"
    case .badPattern(let pattern):
      "'/\(pattern)/' is no regular expression of at most \(ConnectionRule.longestPattern) bytes"
    case .countedPort(let text):
      "'\(text)' counts a machine's ports, which is for 'connect' alone; name the port itself (jack_lsp), or say "
        + "physical for all of them"
    case .closed(let name): "client '\(name)' has left its JACK server; open it again"
    case .noServerProgram: "jackd is not installed; on Debian and Ubuntu: apt install jackd2"
    case .tooManyServers(let most):
      "\(most) private JACK servers of Swiftlet run already; end one of them and try again"
    case .noPlaceLeft:
      "the private JACK server did not start: eight JACK servers run on this machine already, or were killed and left "
        + "their places; end one"
    case .dummyFailed(let words): "the private JACK server did not start: \(words)"
    }
  }
}
