#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Thirty kills of recordings, their servers and their recoveries lose no sound. `make torture` runs the same for longer.
set -eu
cd "$(dirname "$0")/../.."
program=${SWIFTLET:-.build/release/swiftlet}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Rounds and faults of another build are not counted.
echo '{"build": "0123456789abcdef", "round": 0, "kills": 1000, "faults": ["a.wav: the take cannot be read"]}' >"$log"
echo '{"round": 1, "kills": 1000, "faults": ["a.wav: the take cannot be read"]}' >>"$log"
Scripts/torture "$program" --kills 1 --log "$log"
[ "$(wc -l <"$log")" -gt 2 ] || { echo 'torture counts the rounds of another build' >&2; exit 1; }
rounds=$(wc -l <"$log")
Scripts/torture "$program" --kills 1 --log "$log"
[ "$(wc -l <"$log")" -eq "$rounds" ] || { echo 'torture does not count the rounds of this build' >&2; exit 1; }
Scripts/torture "$program" --servers --kills "${KILLS:-30}" --seed "$(date +%s)"
