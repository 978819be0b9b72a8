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
  bin/swiftlet lib/lv2/swiftlet.lv2/swiftlet.so lib/lv2/swiftlet.lv2/manifest.ttl \
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
