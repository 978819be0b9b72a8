#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# A disk error during a recording is reported and ends only the take that it affects. A jump of the clock loses no
# sound.
set -eu
cd "$(dirname "$0")/../.."
swiftlet=$(realpath "${SWIFTLET:-.build/release/swiftlet}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -shared -fPIC -O1 -w -o "$work/faults.so" Tests/Tooling/write-errors.c -ldl
cat >"$work/two.yaml" <<'YAML'
swiftlet: 1
nodes:
  tone: { effect: generator }
  desk: { playback: mono, connect: none }
wires: [ tone -> desk ]
taps:
  bad:    { after: tone, record: bad.wav }
  packed: { after: tone, record: packed.flac }
  good:   { after: tone, record: good.wav }
YAML
cd "$work"
failures=0
fail() {
  echo "write-errors: $*" >&2
  failures=$((failures + 1))
}
seconds() { ffprobe -v error -show_entries format=duration -of csv=p=0 "$1" 2>/dev/null || echo 0; }
longer() { awk -v a="$(seconds "$1")" -v b="$2" 'BEGIN { exit !(a >= b) }'; }

# run NAME VARIABLES…: records for $length seconds, by default 2.5. Stores the status in $status, the messages in
# NAME.log.
run() {
  name=$1
  shift
  status=0
  env "$@" LD_PRELOAD="$work/faults.so" "$swiftlet" run two.yaml --dummy --for "${length:-2.5}" --takes "$name" >"$name.out" \
    2>"$name.log" || status=$?
}

for fault in 5:error 122:full 28:full 30:permissions; do
  number=${fault%:*} words=${fault#*:}
  for file in bad.wav packed.flac; do
    name=errno-$number-$file
    run "$name" FAULT_NAME="$name/$file" FAULT_AFTER=150000 FAULT_ERRNO="$number"
    [ "$status" = 4 ] || fail "$name: status $status: $(tail -n 3 "$name.log")"
    grep -q "$file' ended early: .*$words" "$name.log" || fail "$name: the message is: $(grep "$file" "$name.log")"
    "$swiftlet" recover "$name" >/dev/null 2>"$name.recovered" || fail "$name: $(cat "$name.recovered")"
    longer "$name/$file" 0.7 || fail "$name: $(seconds "$name/$file") s were kept"
    longer "$name/good.wav" 2.4 || fail "$name: the other take has $(seconds "$name/good.wav") s"
  done
done
run sync FAULT_NAME=sync/bad.wav FAULT_AFTER=1000 FAULT_ERRNO=5 FAULT_SYNC=1
[ "$status" = 4 ] || fail "a failure of fdatasync: status $status"
grep -q "bad.wav' ended early" sync.log || fail "a failure of fdatasync is not reported: $(cat sync.log)"
longer sync/good.wav 2.4 || fail "sync: the other take has $(seconds sync/good.wav) s"
length=4
for jump in 100000000 -100000000; do
  run "clock$jump" FAULT_CLOCK="$jump"
  [ "$status" = 0 ] || fail "a clock that jumps by $jump s: status $status: $(tail -n 3 "clock$jump.log")"
  for file in bad.wav packed.flac good.wav; do
    longer "clock$jump/$file" 3.9 || fail "clock$jump/$file has $(seconds "clock$jump/$file") s"
  done
done
[ "$failures" = 0 ] || exit 1
echo "write errors: reported, and no other take is affected"
