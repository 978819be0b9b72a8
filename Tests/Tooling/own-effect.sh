#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# A separate package defines an effect: it is built and run outside this repository, and exported as an LV2 plugin.
set -eu
swiftlet=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r Examples/OwnEffect/Package.swift Examples/OwnEffect/Makefile Examples/OwnEffect/Sources "$folder"
cd "$folder"
SWIFTLET=$swiftlet swift build --scratch-path "$swiftlet/.build/own-effect" >"$folder/log" 2>&1 || {
  cat "$folder/log"
  exit 1
}
output=$("$swiftlet/.build/own-effect/debug/OwnEffect")
[ "$output" = 'folded: [0.125, 0.0, -0.125, -0.5]' ] || {
  echo "own-effect: unexpected output '$output'"
  exit 1
}

make -s lv2 SWIFTLET="$swiftlet"
export LV2_PATH="$folder/.build/lv2:/usr/lib/lv2"
[ "$(lv2ls | grep -c '^urn:example:folder')" = 2 ] || {
  echo 'own-effect: the bundle does not contain two plugins'
  exit 1
}
# The effect folds 0.75 at 0.5 to 0.25.
ffmpeg -hide_banner -nostdin -f lavfi -i 'aevalsrc=0.75:sample_rate=48000:duration=0.1' \
  -af 'lv2=p=urn\\:example\\:folder-mono,astats=measure_perchannel=none' -f null - >log 2>&1 || {
  tail -n 5 log
  exit 1
}
grep -q 'Max level: 0.250000' log && grep -q 'Min level: 0.250000' log || {
  echo 'own-effect: the plugin does not fold'
  tail -n 20 log
  exit 1
}
echo 'own-effect: the effect works as a node and as a plugin'
