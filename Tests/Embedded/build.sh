#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Compiles the rooms that must also live as Embedded Swift, and links them, as an LV2 bundle that is thrown away.
# Prints one line when all is well; else what the compiler says, and fails.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
out=$(mktemp -d "${TMPDIR:-/tmp}/swiftlet-embedded-XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM
"$root/Scripts/lv2-bundle" "$out/swiftlet.lv2" "$root/Plugins/Effects"
printf 'embedded: the units compile, and link to %s bytes that need libc and libm alone\n' \
  "$(wc -c <"$out/swiftlet.lv2/swiftlet.so")"
