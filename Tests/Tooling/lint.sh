#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Scripts/lint refuses sources that break its rules, and accepts all others.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/Scripts" "$work/Sources/Signal" "$work/Sources/Engine" "$work/Sources/Command" "$work/Plugins/Effects"
cp Scripts/lint Scripts/restricted_calls.py Scripts/waivers.py "$work/Scripts/"
echo 'mark | Sources/Engine/Good.swift | trust | tested' >"$work/Scripts/audio-thread-waivers"

cat >"$work/Sources/Engine/Good.swift" <<'SWIFT'
import Foundation

/// Documented.
// Why it is so.
@frozen
public struct Good: Sendable {
  /// Documented too.
  public private(set) var name = "fatalError() in a string is no trap"  // nor is try! in a comment
  public static func == (a: Self, b: Self) -> Bool { true }
  package func inner() {}
  case other(let open, let wanted)
  // A comment may say `swiftlet run --dummy`.
  let arguments = ["--port-max", "-r"], hint = "it has no free ports (jackd --port-max)"  // as "in a --dummy"
  @_semantics("no_performance_analysis") func trust() {}
}
SWIFT
echo 'let hint = "name another with --server"' >"$work/Sources/Command/Good.swift"
cat >"$work/Plugins/Effects/Good.swift" <<'SWIFT'
/// Documented.
public struct Good: ~Copyable, Effect {
  public init(_ layout: Layout) {}
  public static var description: Int { 0 }
  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Int, to value: Float, over frames: Int) {}
  @_noLocks @_noAllocation public mutating func reset() {}
  @_noLocks @_noAllocation public mutating func process(_ block: Block) {}
}

@_noLocks @_noAllocation private func proof(_ effect: inout Good, _ block: Block) {
  effect.set(.gain, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
SWIFT
if ! "$work/Scripts/lint"; then
  echo 'lint refuses good sources' >&2
  exit 1
fi

# `refuses` runs in a pipeline and so in a subshell: a file counts failures.
failed=$work/failed
# refuses WORDS FILE < SOURCE: lint must fail and print WORDS about the file.
refuses() {
  cat >"$work/$2"
  if output=$("$work/Scripts/lint" 2>&1); then
    echo "lint passes, and should print: $1" >&2
    echo x >>"$failed"
  else
    case $output in
      "$2:"*"$1"*) ;;
      *)
        printf 'lint should print: %s\nand prints: %s\n' "$1" "$output" >&2
        echo x >>"$failed"
        ;;
    esac
  fi
  rm "$work/$2"
}

echo 'public struct Bare {}' | refuses "'Bare' is public and has no doc comment" Sources/Engine/Bad.swift
echo 'public func bare<T>(x: T) {}' | refuses "'bare' is public and has no doc comment" Sources/Engine/Bad.swift
echo 'let value = try! make()' | refuses "'try!' can end the program" Sources/Engine/Bad.swift
echo 'let value = other as! Int' | refuses "'as!' can end the program" Sources/Engine/Bad.swift
echo 'fatalError("no")' | refuses "'fatalError' can end the program" Plugins/Effects/Bad.swift
echo 'preconditionFailure("no")' | refuses "'preconditionFailure' can end the program" Plugins/Effects/Bad.swift
echo 'let file = open(path, O_WRONLY | O_CREAT, 0o666)' | refuses "'O_CREAT' makes or names a file" Sources/Engine/Bad.swift
echo 'if bind(socket, address, size) != 0 { return }' | refuses "'bind' makes the file of a socket" Sources/Engine/Bad.swift
echo 'let made = Glibc.bind(socket, address, size)' | refuses "'bind' makes the file of a socket" Sources/Engine/Bad.swift
echo 'try text.write(toFile: path, atomically: true)' | refuses "'.write(toFile:' makes or names a file" Sources/Engine/Bad.swift
echo 'rename(draft, path)' | refuses "'rename' makes or names a file" Plugins/Effects/Bad.swift
echo 'FILE *file = fopen(path, "w");' | refuses "'fopen' makes or names a file" Sources/Engine/bad.c
echo 'let child = Process()' | refuses "'Process()' starts a process" Sources/Engine/Bad.swift
echo 'let hint = "start one, or say \(words.joined(separator: ", ")) with --server"' |
  refuses "'--server' is a name of the tool" Sources/Engine/Bad.swift
echo 'let hint = "allow that (`--allow-outside`)"' | refuses "'--allow-outside' is a name of the tool" Sources/Engine/Bad.swift
echo "let hint = \"; run 'swiftlet recover' first\"" | refuses "'swiftlet recover' is a name of the tool" Plugins/Effects/Bad.swift
echo 'let thread = Thread { work() }' | refuses "'Thread' starts a thread" Sources/Engine/Bad.swift
echo 'pthread_create(&thread, nil, work, nil)' | refuses "'pthread_create' starts a thread" Plugins/Effects/Bad.swift
echo 'usleep(1000)' | refuses "'usleep' sleeps" Sources/Engine/Bad.swift
echo 'Thread.sleep(forTimeInterval: 1)' | refuses "'Thread.sleep' sleeps" Plugins/Effects/Bad.swift
echo 'nanosleep(&pause, 0);' | refuses "'nanosleep' sleeps" Sources/Engine/bad.c
echo 'Glibc.sleep(1)' | refuses "'Glibc.sleep' sleeps" Sources/Engine/Bad.swift
printf '\n## Threads\n\n| `swiftlet-known` | is known |\n\n## Next\n' >"$work/ARCHITECTURE.md"
echo 'startThread("swiftlet-known") {}; startThread("swiftlet-new") {}' |
  refuses "lacks 'swiftlet-new'" Sources/Engine/Bad.swift
echo 'startThread("swiftlet-known") {}; JoinableThread("swiftlet-kept") {}' |
  refuses "lacks 'swiftlet-kept'" Sources/Engine/Bad.swift
echo 'let known = DispatchQueue(label: "swiftlet-known")' >"$work/Sources/Engine/Known.swift"
"$work/Scripts/lint" || echo x >>"$failed"
echo '// startThread("swiftlet-known")' >"$work/Sources/Engine/Known.swift"
if output=$("$work/Scripts/lint" 2>&1) || [ "$output" = "${output#*no thread and no queue is called}" ]; then
  echo "lint accepts a thread that is listed in ARCHITECTURE.md only, and prints: $output" >&2
  echo x >>"$failed"
fi
rm "$work/ARCHITECTURE.md" "$work/Sources/Engine/Known.swift"
{ echo 'func long() {'; yes '  call()' | head -n 59; echo '}'; } |
  refuses 'a function of 61 lines; 60 is the most' Sources/Engine/Bad.swift
{ echo '  var long: Int {'; yes '    call()' | head -n 59; echo '  }'; } |
  refuses 'a property of 61 lines; 60 is the most' Sources/Engine/Bad.swift
{ printf 'private(set) lazy var long:\n  [Int]\n{\n  get {\n'; yes '    call()' | head -n 57; printf '  }\n}\n'; } |
  refuses 'a property of 63 lines; 60 is the most' Sources/Engine/Bad.swift
{ printf 'subscript(\n  index: Int\n) -> Int {\n  get {\n'; yes '    call()' | head -n 57; printf '  }\n}\n'; } |
  refuses 'a function of 63 lines; 60 is the most' Sources/Engine/Bad.swift
{ printf '  package convenience init(\n    _ a: Int\n  ) throws {\n'; yes '    call()' | head -n 57; echo '  }'; } |
  refuses 'a function of 61 lines; 60 is the most' Sources/Engine/Bad.swift
{ echo '@_semantics("a") func long() {'; yes '  call()' | head -n 59; echo '}'; } |
  refuses 'a function of 61 lines; 60 is the most' Plugins/Effects/Bad.swift
# Code after a property without a body is not part of the property.
{ printf 'var short = 0\nvar other =\n  1\nstruct Long {\n'; yes '  call()' | head -n 80; echo '}'; } >"$work/Sources/Engine/Fine.swift"
"$work/Scripts/lint" || echo x >>"$failed"
rm "$work/Sources/Engine/Fine.swift"
printf '/// Documented.\npublic enum Odd: Equatable, Error {}\n' |
  refuses "'Odd' is a public error and no SwiftletError" Sources/Engine/Bad.swift
printf '/// Documented.\npublic enum Even: Error {}\nextension Even: SwiftletError {}\n' >"$work/Sources/Engine/Fine.swift"
"$work/Scripts/lint" || echo x >>"$failed"
rm "$work/Sources/Engine/Fine.swift"
printf 'var a: TypedParameter<Parameter, Float> {\n  .init(\n    .b, "b")\n}\n' |
  refuses "the parameter 'a' names the case 'b'" Plugins/Effects/Bad.swift
mkdir -p "$work/Sources/Swiftlet/Nodes"
printf '  /// Documented.\n  public let name: String\n' >"$work/Sources/Swiftlet/Nodes/AudioNode.swift"
printf 'var name: TypedParameter<Parameter, Float> { .init(.name, "name") }\n' |
  refuses "a node has a member 'name'" Plugins/Effects/Bad.swift
rm -r "$work/Sources/Swiftlet/Nodes"
echo 'import Foundation' | refuses 'no Foundation here' Sources/Signal/Bad.swift
printf '@_semantics("no_performance_analysis")\nfunc trust() {}\n' |
  refuses "'trust' waives the compiler's checks" Sources/Engine/Bad.swift
echo 'struct Loose: Effect {}' | refuses 'Loose has no proof' Plugins/Effects/Bad.swift
echo '@_noLocks mutating func process(_ block: Block) {}' |
  refuses "'process' runs on the audio thread and lacks @_noAllocation" Plugins/Effects/Bad.swift
printf '@_noLocks @_noAllocation\nfunc proof(_ effect: inout Loose, _ block: Block) {\n effect.set(1)\n effect.reset()\n}\n' |
  refuses "the proof of Loose does not call 'process'" Plugins/Effects/Bad.swift
yes '// line' | head -n 301 | refuses '301 lines; 300 is the most' Sources/Engine/Bad.swift
yes '# line' | head -n 301 | refuses '301 lines; 300 is the most' Scripts/bad
yes '// line' | head -n 301 | refuses '301 lines; 300 is the most' Package.swift

rm "$work/Sources/Engine/Good.swift"
if "$work/Scripts/lint" 2>/dev/null; then
  echo 'lint accepts an unused waiver' >&2
  echo x >>"$failed"
fi

[ ! -e "$failed" ] || exit 1
echo 'lint: every planted fault is refused'
