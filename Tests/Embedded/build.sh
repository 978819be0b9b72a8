#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Compiles the modules that must also build as Embedded Swift, and links them into a temporary LV2 bundle.
# Prints one line on success; otherwise prints the compiler's output and fails.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
out=$(mktemp -d "${TMPDIR:-/tmp}/swiftlet-embedded-XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM
"$root/Scripts/lv2-bundle" "$out/swiftlet.lv2" "$root/Plugins/Effects"
printf 'embedded: the effects compile and link to %s bytes that need only libc and libm\n' \
  "$(wc -c <"$out/swiftlet.lv2/swiftlet.so")"
