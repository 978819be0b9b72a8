#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# A package outside this one brings an effect of its own: it is built and run where a stranger would have it.
set -eu
swiftlet=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r Examples/OwnEffect/Package.swift Examples/OwnEffect/Sources "$folder"
cd "$folder"
SWIFTLET=$swiftlet swift build --scratch-path "$swiftlet/.build/own-effect" >"$folder/log" 2>&1 || {
  cat "$folder/log"
  exit 1
}
said=$("$swiftlet/.build/own-effect/debug/OwnEffect")
[ "$said" = 'folded: [0.125, 0.0, -0.125, -0.5]' ] || {
  echo "own-effect: it said '$said'"
  exit 1
}
