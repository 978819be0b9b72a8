#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# PipeWire has its own libjack: on a private PipeWire the tool plays, records, and survives the server's end.
set -eu
swiftlet=$PWD/.build/release/swiftlet
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
# The private PipeWire has its socket here, and no other PipeWire is reached.
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
  fail "did not succeed within ten seconds: $*"
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
[ "$code" = 3 ] || fail "without a server the tool exits with $code, not 3"
grep -q 'no JACK server' none.log || fail 'the tool does not report that there is no server'

pipewire >server.log 2>&1 &
server=$!
eventually [ -S pipewire-0 ]

# An overloaded machine may lose frames, which gives status 4; that is not a failure of this test.
code=0
timeout --foreground 60 pw-jack "$swiftlet" run song.yaml --for 1 >out.log 2>run.log || code=$?
[ "$code" = 0 ] || [ "$code" = 4 ] || fail "the tool exits with $code, not 0 or 4"
grep -q '^wet-001.wav  0:01\.[0-9]  peak -' out.log || fail 'the tool records no sound'

timeout --foreground 60 pw-jack "$swiftlet" run song.yaml >out2.log 2>run2.log &
run=$!
eventually grep -q '^0:01' run2.log
kill "$server"
eventually grep -q 'the JACK server has ended' run2.log
# The run resumes when there is a server again; the take has a gap, which gives status 4.
pipewire >server2.log 2>&1 &
server=$!
eventually grep -q 'back on the JACK server' run2.log
eventually grep -q '^0:03' run2.log
# `timeout` forwards the signal. With --foreground it does so once; a second signal would end the tool at once, with
# status 130.
kill -INT "$run"
code=0
wait "$run" || code=$?
[ "$code" = 4 ] || fail "after the server's return the tool exits with $code, not 4"
grep -q '^wet-002.wav  0:0[3-9]' out2.log || fail 'the take does not continue after the return of the server'

timeout --foreground 60 pw-jack "$swiftlet" run song.yaml --no-reconnect >out3.log 2>run3.log &
run=$!
eventually grep -q '^0:01' run3.log
kill "$server"
server=
code=0
wait "$run" || code=$?
[ "$code" = 3 ] || fail "when the server ends, it ends with $code"
grep -q 'the JACK server has ended' run3.log || fail 'it does not report that the server has ended'
grep -q '^wet-003.wav  ' out3.log || fail 'its take is lost'
echo 'pipewire: it was played to, came back, and was left'
