#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Compiles the rooms that must also live as Embedded Swift, module by module, for this machine.
# Prints one line when all is well; else what the compiler says, and fails.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
out=$(mktemp -d "${TMPDIR:-/tmp}/swiftlet-embedded-XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM

module() { # name folder: one module into one object
  find "$root/$2" -name '*.swift' | LC_ALL=C sort >"$out/$1.files"
  swiftc -enable-experimental-feature Embedded -wmo -O -parse-as-library -swift-version 6 \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    -strict-memory-safety -warnings-as-errors \
    -Xcc -fPIC -Xcc -I -Xcc "$root/Sources/CRealtime/include" \
    -Xcc -fmodule-map-file="$out/module.modulemap" -I "$out" \
    -module-name "$1" -emit-module -emit-module-path "$out/$1.swiftmodule" \
    -c -o "$out/$1.o" "@$out/$1.files"
}

printf 'module CSwiftletRealtime { header "%s" export * }\n' \
  "$root/Sources/CRealtime/include/CSwiftletRealtime.h" >"$out/module.modulemap"
module SwiftletSignal Sources/Signal
module SwiftletEffects Plugins/Effects
# What they are for: one shared object that needs the C library and its mathematics, and nothing of Swift's.
clang -shared -nodefaultlibs -Wl,-z,defs -o "$out/units.so" "$out/SwiftletSignal.o" "$out/SwiftletEffects.o" -lc -lm
printf 'embedded: SwiftletSignal and SwiftletEffects compile, and link to %s bytes that need libc and libm alone\n' \
  "$(wc -c <"$out/units.so")"
