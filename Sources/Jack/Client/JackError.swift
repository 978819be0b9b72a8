// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An error of a JACK server or client. Its description is one sentence that states what failed and what to do.
@nonexhaustive public enum JackError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No server of this name runs.
  case noServer(String)
  /// The server is running, but does not answer.
  case noAnswer(String)
  /// A client of this name exists already.
  case nameTaken(String)
  /// An invalid JACK name: empty, too long, or with a colon in it.
  case badName(String, longest: Int)
  /// An invalid server name: empty, or so long that libjack would write past its buffers.
  case badServer(String, longest: Int)
  /// The server's protocol version differs from that of the linked library.
  case versionMismatch(server: String)
  /// The server refused the client; `status` holds the bits of `jack_status_t`.
  case serverFailed(server: String, status: Int)
  /// The server came back at a sample rate other than the client's, in Hz.
  case otherRate(server: String, rate: Double, wanted: Double)
  /// This process is a client of another server; libjack supports one server at a time.
  case otherServer(open: String, wanted: String)
  /// A node of this name has ports already.
  case duplicateNode(String)
  /// An invalid number of channels for a node.
  case channels(node: String, Int)
  /// The client has the maximum number of input or output nodes.
  case tooManyNodes(node: String, most: Int)
  /// The server did not register a port: it has no free ports, or the name is taken.
  case portRefused(String)
  /// The server did not activate the client.
  case notActivated(String)
  /// The server did not make a connection.
  case notConnected(source: String, destination: String)
  /// The server did not accept a period of so many frames.
  case periodRefused(Int)
  /// An invalid pattern for port names.
  case badPattern(String)
  /// A physical port is given by its number, `physical:2`, where ports must be given by their names.
  case numberedPort(String)
  /// The client has left its server.
  case closed(String)
  /// The program `jackd` is not installed.
  case noServerProgram
  /// The maximum number of private servers on this machine is running.
  case tooManyServers(most: Int)
  /// All eight server slots of jackd2 on this machine are in use, or were not released by killed servers.
  case noFreeSlot
  /// A private server ended before it accepted clients; the text is the last lines that it printed.
  case dummyFailed(String)

  public var description: String {
    switch self {
    case .noServer(let server):
      "no JACK server '\(server)' is running; start one or name another"
    case .noAnswer(let server):
      "the JACK server '\(server)' does not answer: it hangs; end it, restart it and try again"
    case .nameTaken(let name):
      "JACK has a client named '\(name)' already; choose another name"
    case .badName(let name, let longest):
      "'\(name)' is not a JACK name: use 1 to \(longest) bytes without a colon"
    case .badServer(let server, let longest):
      "'\(server.count > 24 ? "\(server.prefix(24))…" : server)' is not a JACK server name: use 1 to \(longest) bytes"
    case .versionMismatch(let server):
      "the protocol version of the JACK server '\(server)' differs from that of the JACK library; update one of them"
    case .serverFailed(let server, let status):
      "the JACK server '\(server)' refused the client (status 0x\(String(status, radix: 16))); see its messages"
    case .otherRate(let server, let rate, let wanted):
      "the JACK server '\(server)' runs at \(Int(rate)) Hz, but this client's sound is made for \(Int(wanted)) Hz: start the "
        + "server at \(Int(wanted)) Hz, or restart this program"
    case .otherServer(let open, let wanted):
      "this program is a client of JACK server '\(open)'; leave it before joining '\(wanted)'"
    case .duplicateNode(let node): "node '\(node)' has ports already; give the new node another name"
    case .channels(let node, let count): "node '\(node)' cannot have \(count) channels; use 1 to 64"
    case .tooManyNodes(let node, let most):
      "node '\(node)' cannot be added: a client has at most \(most) input nodes and \(most) output nodes"
    case .portRefused(let port):
      "the JACK server did not register port '\(port)': the name is taken, "
        + "or the server has no free ports (jackd --port-max)"
    case .notActivated(let name): "the JACK server did not activate client '\(name)'; see its messages"
    case .notConnected(let source, let destination):
      "JACK did not connect '\(source)' to '\(destination)'; check that both exist and have the same type (jack_lsp -t)"
    case .periodRefused(let frames):
      "the JACK server refuses a period of \(frames) frames; choose another, or start the server with it"
    case .badPattern(let pattern):
      "'/\(pattern)/' is not a valid regular expression of at most \(ConnectionRule.longestPattern) bytes"
    case .numberedPort(let text):
      "'\(text)' numbers a physical port, which only 'connect' allows; name the port itself (jack_lsp), or use "
        + "'physical' for all of them"
    case .closed(let name): "client '\(name)' has left its JACK server; open it again"
    case .noServerProgram: "jackd is not installed; on Debian and Ubuntu: apt install jackd2"
    case .tooManyServers(let most):
      "\(most) private JACK servers of Swiftlet are running already; end one of them and try again"
    case .noFreeSlot:
      "the private JACK server did not start: all eight slots for JACK servers on this machine are taken by running or "
        + "killed servers; end one"
    case .dummyFailed(let words): "the private JACK server did not start: \(words)"
    }
  }
}
