#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# A function that writes or reads outside its block ends the program in release, too: it never reaches the buffer
# beside it.
set -eu
modules=.build/release/Modules
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.swift" <<'SWIFT'
import SwiftletSignal

// Two channels of eight frames lie side by side.
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
# The views are made by initialisers that only this package sees; SwiftPM names it after the folder.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]' | tr -c '[:alnum:]\n' _)
# What the program is linked from: the folders may hold objects of sources that are gone.
objects=$(tr -d "'\"" <.build/release/swiftlet.product/Objects.LinkFileList |
  grep -E '/(SwiftletSignal|CSwiftletRealtime)\.build/')
# shellcheck disable=SC2086 # a list
swiftc -O -swift-version 6 -package-name "$package" -I "$modules" \
  -Xcc -fmodule-map-file="$PWD/.build/release/CSwiftletRealtime.build/module.modulemap" -Xcc -I -Xcc Sources/CRealtime/include \
  "$folder/main.swift" $objects -o "$folder/bounds"
run() { "$folder/bounds" "$@" >"$folder/said" 2>/dev/null; }
for way in write read; do
  run "$way" 7 && grep -q 'beside it: 0.0' "$folder/said" || {
    echo "bounds: the last frame of the block cannot be had ($way)"
    exit 1
  }
  for frame in 8 -1 -9223372036854775808; do
    if run "$way" "$frame"; then
      echo "bounds: a $way of frame $frame of 8 went on: $(cat "$folder/said")"
      exit 1
    fi
  done
done
echo 'bounds: no frame outside the block is read or written'
