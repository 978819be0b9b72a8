#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# The LV2 bundle in third-party programs: a validator, an inspector, a benchmark, a JACK host and ffmpeg accept every
# plugin. `swiftlet lv2 install` copies the bundle and changes no other files.
set -eu
cd "$(dirname "$0")/../.."
tool=$PWD/.build/release/swiftlet
bundle=$PWD/.build/lv2/swiftlet.lv2
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
fail() {
  printf 'lv2: %s\n' "$*" >&2
  exit 1
}

# The shared object needs only the C library and libm, in versions of an old stable system, and exports one function.
needed=$(objdump -p "$bundle/swiftlet.so" | sed -n 's/ *NEEDED *//p' | sort | tr '\n' ' ')
[ "$needed" = 'libc.so.6 libm.so.6 ' ] || fail "the shared object needs $needed"
newest=$(objdump -T "$bundle/swiftlet.so" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1)
[ "$(printf '%s\n2.31\n' "$newest" | sort -V | tail -n 1)" = 2.31 ] || fail "the shared object needs glibc $newest"
shown=$(nm -D --defined-only "$bundle/swiftlet.so" | sed 's/.* //')
[ "$shown" = lv2_descriptor ] || fail "the shared object exports $shown"

# The bundle is copied to a user's folder, also over an earlier copy. Bundles of others stay unchanged.
mkdir "$work/home"
HOME=$work/home "$tool" lv2 install -q || fail 'lv2 install fails'
HOME=$work/home "$tool" lv2 install -q || fail 'lv2 install fails over an earlier copy'
diff -r "$bundle" "$work/home/.lv2/swiftlet.lv2" || fail 'the copy differs'
mkdir -p "$work/third-party/swiftlet.lv2"
echo '<urn:other> a <http://lv2plug.in/ns/lv2core#Plugin> .' >"$work/third-party/swiftlet.lv2/manifest.ttl"
code=0
"$tool" lv2 install "$work/third-party" 2>"$work/output" || code=$?
[ "$code" = 1 ] && grep -q "is not Swiftlet's bundle" "$work/output" ||
  fail "another bundle of the same name: $code, $(cat "$work/output")"
[ "$(ls "$work/third-party/swiftlet.lv2")" = manifest.ttl ] || fail 'another bundle of the same name was changed'
mkdir "$work/alone"
cp "$tool" "$work/alone/"
code=0
"$work/alone/swiftlet" lv2 install "$work/none" 2>"$work/output" || code=$?
[ "$code" = 1 ] && grep -q "run 'make lv2'" "$work/output" || fail "without a bundle: $code, $(cat "$work/output")"
[ ! -e "$work/none" ] || fail 'without a bundle, a folder is created'

# Validates the bundle with the vocabularies of LV2.
schemas=
for name in atom buf-size core data-access dynmanifest event instance-access log midi morph options parameters patch \
  port-groups port-props presets resize-port schemas state time ui units uri-map urid worker; do
  for folder in /usr/lib/lv2 /usr/lib/"$(uname -m)"-linux-gnu/lv2; do
    for file in "$folder/$name.lv2"/*.ttl; do [ ! -f "$file" ] || schemas="$schemas $file"; done
  done
done
# shellcheck disable=SC2086
sord_validate $schemas "$bundle"/*.ttl >"$work/output" 2>&1 || fail "sord_validate: $(cat "$work/output")"
grep -q 'Found 0 errors' "$work/output" || fail "sord_validate: $(cat "$work/output")"
# Control: the validator finds a planted fault.
sed 's/lv2:symbol "gain"/lv2:symbol "1 gain"/' "$bundle/gain.ttl" >"$work/wrong.ttl"
# shellcheck disable=SC2086
if sord_validate $schemas "$work/wrong.ttl" >"$work/output" 2>&1; then
  fail 'sord_validate accepts a file with a planted fault'
fi

export LV2_PATH=$work/home/.lv2:/usr/lib/lv2
plugins=$(sed -n 's/^\(urn:swiftlet:[a-z0-9-]*\)$/\1/p' Plugins/stable-names.txt)
[ "$(lv2ls | grep -c '^urn:swiftlet:')" = "$(printf '%s\n' "$plugins" | wc -l)" ] ||
  fail "lv2ls lists other plugins: $(lv2ls | grep '^urn:swiftlet:')"

name=swiftlet-lv2-$$
jackd -n "$name" -r -d dummy -r 48000 -p 64 >"$work/jackd.log" 2>&1 &
server=$!
export JACK_DEFAULT_SERVER=$name JACK_NO_START_SERVER=1
for _ in $(seq 100); do
  if timeout -s KILL 10 jack_lsp >/dev/null 2>&1; then break; fi
  sleep 0.1
done

mkfifo "$work/keys"
for plugin in $plugins; do
  lv2info "$plugin" >"$work/output" 2>&1 || fail "lv2info $plugin: $(cat "$work/output")"
  grep -q 'hardRTCapable' "$work/output" || fail "lv2info does not show hardRTCapable for $plugin"
  lv2bench -n 48000 -b 512 "$plugin" >"$work/output" 2>&1 || fail "lv2bench $plugin: $(cat "$work/output")"
  grep -q "^0\.[0-9]* $plugin\$" "$work/output" || fail "lv2bench $plugin: $(cat "$work/output")"

  # jalv ends at the end of its input, which is closed after its ports have appeared.
  jalv -x -n swiftlet-guest "$plugin" <"$work/keys" >"$work/jalv.log" 2>&1 &
  guest=$!
  exec 3>"$work/keys"
  for _ in $(seq 100); do
    ports=$(timeout -s KILL 10 jack_lsp | grep -c '^swiftlet-guest:out' || true)
    [ "$ports" = 0 ] || break
    sleep 0.1
  done
  exec 3>&-
  wait "$guest" || fail "jalv $plugin: $(cat "$work/jalv.log")"
  [ "$ports" -gt 0 ] || fail "jalv $plugin shows no ports: $(cat "$work/jalv.log")"

  inputs=$(lv2info "$plugin" |
    awk '/^\tPort/ { a = i = 0 } /AudioPort/ { a = 1 } /InputPort/ { i = 1 } a && i { n++; a = 0 } END { print n + 0 }')
  # ffmpeg feeds a sine at −18 dB to every audio input, and the output is not silent.
  sources= pads= number=0
  while [ "$number" -lt "$inputs" ]; do
    sources="$sources -f lavfi -i sine=frequency=440:sample_rate=48000:duration=0.5"
    pads="$pads[$number:a]"
    number=$((number + 1))
  done
  filter="lv2=p=$(printf %s "$plugin" | sed 's/:/\\\\\\:/g')"
  # A plugin without inputs is a source.
  if [ "$inputs" -gt 0 ]; then filter="${pads}amerge=inputs=$inputs,$filter"; else filter="$filter:duration=0.5"; fi
  # shellcheck disable=SC2086
  ffmpeg -hide_banner -nostdin -y $sources -filter_complex "$filter,astats=measure_perchannel=none" \
    -f null - >"$work/output" 2>&1 || fail "ffmpeg $plugin: $(tail -n 5 "$work/output")"
  grep -q 'Peak level dB: -[0-9]*\.' "$work/output" || fail "ffmpeg $plugin is silent: $(tail -n 20 "$work/output")"
  if grep -q 'Number of NaNs: [^0]' "$work/output"; then fail "ffmpeg $plugin: NaN"; fi
done
echo "lv2: $(printf '%s\n' "$plugins" | wc -l) plugins pass every host"
