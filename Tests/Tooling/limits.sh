#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# With the lowest limits on memory that docs/commands.md lists, the release build ends with one error message. Lower
# limits also end it.
set -eu
cd "$(dirname "$0")/../.."
program=${SWIFTLET:-.build/release/swiftlet}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# usage: ends OPTION KIBIBYTES: prints the status and the number of Swiftlet's error messages
ends() {
  status=0
  timeout -s KILL 20 sh -c 'ulimit "$1" "$2"; exec "$3" --help' sh "$1" "$2" "$program" >"$work/out" 2>"$work/words" || status=$?
  echo "$status $(grep -c '^swiftlet: error: the limit on memory' "$work/words")"
}

for limit in "-d $((40 * 1024))" "-d 41000" "-d 51200" "-v $((84 * 1024))" "-v 98304"; do
  # shellcheck disable=SC2086 # an option and its value
  [ "$(ends $limit)" = "3 1" ] || { echo "ulimit $limit: $(ends $limit), not 3 1: $(cat "$work/words")" >&2; exit 1; }
done
for limit in "-d 30000" "-d 36000" "-v 50000" "-v 60000" "-v 70000"; do
  # shellcheck disable=SC2086
  case $(ends $limit) in
    0\ * | 137\ *) echo "ulimit $limit: $(ends $limit)" >&2; exit 1 ;;
  esac
done
