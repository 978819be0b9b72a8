#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Scripts/language reports sentences without a subject, phrases of the list and renamed types, and accepts plain English.
set -eu
cd "$(dirname "$0")/../.."
script=$PWD/Scripts/language
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
git init -q .
mkdir Sources docs

cat >Sources/Good.swift <<'SWIFT'
/// The latency in frames. Default: 0.
/// A user who wants more sets it. What if the block is empty? It returns 0.
let latency = 0  // `unless` the plugin states one
SWIFT
echo 'The page names its subjects; the nodes are wired.' >docs/good.md
git add .
"$script" "$work" || {
  echo "plain English was refused" >&2
  exit 1
}

# refuses TEXT FILE: a file with that text is reported.
refuses() {
  printf '%s\n' "$1" >"$2"
  git add .
  if "$script" "$work" >report; then
    echo "not reported: $1" >&2
    exit 1
  fi
  grep -q "^$2:1: error: " report
  rm "$2" report
  git add .
}
refuses '/// Who takes frames back may think better of it.' Sources/Bad.swift
refuses 'let a = 1  // Sorted. What stays the same is kept.' Sources/Bad.swift
refuses 'let help = "Frames a second; 48000 where nothing is said."' Sources/Bad.swift
refuses '/// It is told of the end.' Sources/Bad.swift
refuses 'The mute holds unless told otherwise.' docs/bad.md
refuses '# Nobody hears it.' Sources/bad.py
refuses '/// The tempo of the studio.' Sources/Bad.swift
refuses 'let help = "A way in for sound."' Sources/Bad.swift
refuses '/// The writer thinks better of it.' Sources/Bad.swift
refuses '/// The number of those who listens to it.' Sources/Bad.swift
refuses '/// The end is heard of.' Sources/Bad.swift
refuses 'let keeper = ConnectionKeeper()' Sources/Bad.swift
echo 'language: reports what it must'
