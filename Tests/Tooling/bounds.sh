#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# A write or read outside a block ends the program, also in a release build. It never reaches the adjacent buffer.
set -eu
modules=.build/release/Modules
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.swift" <<'SWIFT'
import SwiftletSignal

// Two adjacent channels of eight frames.
let memory = UnsafeMutablePointer<Float>.allocate(capacity: 16)
memory.update(repeating: 0, count: 16)
let frame = Int(CommandLine.arguments[2])!
let channel = unsafe MutableSamples(memory, count: 8)
if CommandLine.arguments[1] == "write" {
  channel[frame] = 1
} else {
  print(unsafe Samples(memory, count: 8)[frame])
}
print("beside it: \((8..<16).map { unsafe memory[$0] }.max()!)")
SWIFT
# The views have initialisers with package access; SwiftPM names the package after the folder.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]' | tr -c '[:alnum:]\n' _)
# The objects that the program is linked from. The folders may also contain objects of deleted sources.
objects=$(tr -d "'\"" <.build/release/swiftlet.product/Objects.LinkFileList |
  grep -E '/(SwiftletSignal|CSwiftletRealtime)\.build/')
# shellcheck disable=SC2086 # a list
swiftc -O -swift-version 6 -package-name "$package" -I "$modules" \
  -Xcc -fmodule-map-file="$PWD/.build/release/CSwiftletRealtime.build/module.modulemap" -Xcc -I -Xcc Sources/CRealtime/include \
  "$folder/main.swift" $objects -o "$folder/bounds"
run() { "$folder/bounds" "$@" >"$folder/output" 2>/dev/null; }
for access in write read; do
  run "$access" 7 && grep -q 'beside it: 0.0' "$folder/output" || {
    echo "bounds: a $access of the last frame of the block fails"
    exit 1
  }
  for frame in 8 -1 -9223372036854775808; do
    if run "$access" "$frame"; then
      echo "bounds: a $access of frame $frame of 8 does not end the program: $(cat "$folder/output")"
      exit 1
    fi
  done
done
echo 'bounds: no frame outside the block is read or written'
