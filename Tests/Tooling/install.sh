#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# `make install` works without a network and installs a working tool, and `make uninstall` removes everything.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  printf 'install: %s\n' "$*" >&2
  exit 1
}

# A namespace without a network, if the kernel permits it.
offline=
if unshare -rn true 2>/dev/null; then offline='unshare -rn'; fi
# shellcheck disable=SC2086
$offline make --no-print-directory install DESTDIR="$work/tree" PREFIX=/opt/swiftlet >"$work/log" 2>&1 ||
  fail "make install fails: $(cat "$work/log")"

prefix=$work/tree/opt/swiftlet
for file in \
  bin/swiftlet bin/swiftlet-plugin-host bin/swiftlet-audit-host lib/lv2/swiftlet.lv2/swiftlet.so lib/lv2/swiftlet.lv2/manifest.ttl \
  share/man/man1/swiftlet.1 share/man/man1/swiftlet-run.1 \
  share/bash-completion/completions/swiftlet share/zsh/site-functions/_swiftlet \
  share/fish/vendor_completions.d/swiftlet.fish share/swiftlet/manifests/vocal.yaml \
  share/swiftlet/manifests/schema.json share/doc/swiftlet/licences/Swiftlet.txt
do
  [ -s "$prefix/$file" ] || fail "$file is missing or empty"
done

# The tool runs without the Swift toolchain.
version=$(env -i PATH=/usr/bin:/bin "$prefix/bin/swiftlet" --version) || fail 'the installed tool does not run'
case $version in *[0-9].[0-9]*) ;; *) fail "--version says '$version'" ;; esac
# The text of the GPL is installed if and only if the tool is under the GPL.
text=$prefix/share/doc/swiftlet/licences/GPL-3.txt
case $version in
  *'Licence: ISC') [ ! -e "$text" ] || fail 'the GPL is installed with a tool that is not under it' ;;
  *'Licence: GPL-3.0-or-later') grep -q 'Version 3, 29 June 2007' "$text" || fail 'the text of the GPL is missing' ;;
  *) fail "--version prints no known licence: '$version'" ;;
esac
# The tool is linked with Rubber Band if and only if its licence is the GPL.
case $version$(ldd "$prefix/bin/swiftlet") in
  *GPL*librubberband*) ;;
  *GPL* | *librubberband*) fail "the licence and the linked libraries do not match: $version" ;;
esac
if ldd "$prefix/bin/swiftlet" | grep -i swift; then fail 'the installed tool depends on a Swift library'; fi
# The tool finds installed manifests by name.
env -i PATH=/usr/bin:/bin HOME="$work" XDG_DATA_DIRS="$prefix/share" "$prefix/bin/swiftlet" check vocal >"$work/log" 2>&1 ||
  fail "the installed vocal manifest is not found or not valid: $(cat "$work/log")"

# The installed helpers work: an audit finds the allocation in `run` of a plugin, and a plugin is isolated.
mkdir "$work/hoarder.lv2"
cat >"$work/hoarder.lv2/manifest.ttl" <<'END'
@prefix lv2: <http://lv2plug.in/ns/lv2core#> .
<urn:test:hoarder> a lv2:Plugin ; lv2:optionalFeature lv2:hardRTCapable ; lv2:binary <hoarder.so> ; <http://usefulinc.com/ns/doap#name> "Hoarder" ;
  lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
  [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
END
cat >"$work/hoarder.c" <<'END'
#include <lv2/core/lv2.h>
#include <stdlib.h>
#include <string.h>
typedef struct { float *port[2]; void *volatile memory; } Self;
static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
  return calloc(1, sizeof(Self));
}
static void connect(LV2_Handle h, uint32_t i, void *p) { ((Self *)h)->port[i] = p; }
static void run(LV2_Handle h, uint32_t n) {
  Self *s = h;
  s->memory = malloc(100);
  free(s->memory);
  memmove(s->port[1], s->port[0], n * sizeof(float));
}
static const LV2_Descriptor descriptor = {"urn:test:hoarder", start, connect, 0, run, 0, free, 0};
const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &descriptor; }
END
cc -shared -fPIC -w -o "$work/hoarder.lv2/hoarder.so" "$work/hoarder.c"
cat >"$work/hoarder.yaml" <<'END'
swiftlet: 1
nodes:
  mic: { capture: mono, connect: none }
  bad: { lv2: "urn:test:hoarder", isolate: true }
  desk: { playback: mono, connect: none }
wires: [ mic -> bad -> desk ]
END
plugin_tool() { env -i PATH=/usr/bin:/bin HOME="$work" LV2_PATH="$work" "$prefix/bin/swiftlet" "$@"; }
status=0
plugin_tool audit urn:test:hoarder --json >"$work/log" 2>&1 || status=$?
grep -q '"allocation"' "$work/log" || fail "the audit with status $status does not find an allocation: $(cat "$work/log")"
[ "$status" = 3 ] || fail "an audit with a fail ends with $status: $(cat "$work/log")"
plugin_tool render "$work/hoarder.yaml" --for 0.1 -o "$work/hoarder.wav" >"$work/log" 2>&1 ||
  fail "a plugin is not isolated: $(cat "$work/log")"

bash -n "$prefix/share/bash-completion/completions/swiftlet" || fail 'the bash completions have syntax errors'
if command -v man >/dev/null; then
  words=$(man --warnings -l "$prefix/share/man/man1/swiftlet.1" 2>&1 >/dev/null)
  [ -z "$words" ] || fail "the manual page has warnings: $words"
fi

# Files that existed before stay; installed files are removed.
echo mine >"$prefix/share/doc/mine.txt"
make --no-print-directory uninstall DESTDIR="$work/tree" PREFIX=/opt/swiftlet >/dev/null
[ "$(cat "$prefix/share/doc/mine.txt")" = mine ] || fail 'uninstall changes a file that is not its own'
rm "$prefix/share/doc/mine.txt"
rmdir "$prefix/share/doc" "$prefix/share" "$prefix" "$work/tree/opt"
left=$(find "$work/tree" -mindepth 1)
[ -z "$left" ] || fail "uninstall leaves behind: $left"
echo 'install: the tool was installed, worked, and was removed'
