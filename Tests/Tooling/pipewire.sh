#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# PipeWire brings a libjack of its own: over a private PipeWire the tool plays, records, and outlives its end.
set -eu
swiftlet=$PWD/.build/release/swiftlet
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
# Its socket is here, and no other PipeWire is reached.
export XDG_RUNTIME_DIR="$work"
fail() {
  printf 'pipewire: %s\n' "$*" >&2
  cat "$work"/*.log >&2
  exit 1
}
# Waits at most ten seconds until a command succeeds.
eventually() {
  for _ in $(seq 100); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "in vain: $*"
}

cat >song.yaml <<'EOF'
swiftlet: 1
nodes:
  song: { player: /usr/share/sounds/alsa/Front_Center.wav, loop: forever }
  echo: { effect: delay }
  keys: midi-in
  through: midi-out
  desk: { playback: stereo }
wires:
  - song -> echo -> desk
  - keys -> through
taps:
  wet: { after: echo, record: "{tap}-{take}.wav" }
EOF

code=0
timeout --foreground 60 pw-jack "$swiftlet" run song.yaml --for 1 2>none.log || code=$?
[ "$code" = 3 ] || fail "without a server it ends with $code"
grep -q 'no JACK server' none.log || fail 'it does not say that there is no server'

pipewire >server.log 2>&1 &
server=$!
eventually [ -S pipewire-0 ]

# A machine that is too busy may lose frames, which is 4, and no fault of the two.
code=0
timeout --foreground 60 pw-jack "$swiftlet" run song.yaml --for 1 >out.log 2>run.log || code=$?
[ "$code" = 0 ] || [ "$code" = 4 ] || fail "it ends with $code"
grep -q '^wet-001.wav  0:01\.[0-9]  peak -' out.log || fail 'it records no sound'

timeout --foreground 60 pw-jack "$swiftlet" run song.yaml >out2.log 2>run2.log &
run=$!
eventually grep -q '^0:01' run2.log
kill "$server"
eventually grep -q 'the JACK server has ended' run2.log
# What stood still goes on when there is a server again; the take has a gap, which is 4.
pipewire >server2.log 2>&1 &
server=$!
eventually grep -q 'back on the JACK server' run2.log
eventually grep -q '^0:03' run2.log
# `timeout` hands the signal on; in the foreground once, for a second one would end the tool at once, with 130.
kill -INT "$run"
code=0
wait "$run" || code=$?
[ "$code" = 4 ] || fail "after it has come back, it ends with $code"
grep -q '^wet-002.wav  0:0[3-9]' out2.log || fail 'its take does not go on'

timeout --foreground 60 pw-jack "$swiftlet" run song.yaml --no-reconnect >out3.log 2>run3.log &
run=$!
eventually grep -q '^0:01' run3.log
kill "$server"
server=
code=0
wait "$run" || code=$?
[ "$code" = 3 ] || fail "when the server ends, it ends with $code"
grep -q 'the JACK server has ended' run3.log || fail 'it does not say that the server has ended'
grep -q '^wet-003.wav  ' out3.log || fail 'its take is lost'
echo 'pipewire: it was played to, came back, and was left'
