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
let help = "What is new?", words = "The channels of nodes, which are told apart by name."
if said.isEmpty { speak() }  // The typealias of a Turn is fine in a sentence.
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
refuses 'let help = "The folder, ~/.lv2 unless said."' Sources/Bad.swift
refuses 'let help = "Another value; may be said often."' Sources/Bad.swift
refuses '/// Whoever waits is told.' Sources/Bad.swift
refuses '# Told to end, the server ends.' Sources/bad.sh
refuses 'let note = "the manifest says which"' Sources/Bad.swift
refuses 'let note = "the unit says 5 frames"' Sources/Bad.swift
refuses 'let note = "as taps listen to sound"' Sources/Bad.swift
refuses 'let note = "a kind that ffmpeg does not know"' Sources/Bad.swift
refuses '/// Returns the ring to its filler.' Sources/Bad.swift
refuses 'let note = "a wire that is written just so"' Sources/Bad.swift
refuses 'let help = "Remove a preset of yours."' Sources/Bad.swift
refuses 'let help = "Write a file, in place of what is there."' Sources/Bad.swift
refuses 'let help = ArgumentHelp("Where takes go.", valueName: "folder")' Sources/Bad.swift
refuses 'let help = "How far up"' Sources/Bad.swift
refuses 'let help = "Say everything that is wrong."' Sources/Bad.swift
refuses 'Nobody knows the server.' docs/bad.roff
refuses 'let keeper = ConnectionKeeper()' Sources/Bad.swift
refuses 'var generator = AuditDice(seed: 1)' Sources/Bad.swift
refuses 'The type `GraphHost` makes edits inaudible.' docs/bad.md
refuses 'private final class Leader {}' Sources/Bad.swift
echo 'language: reports what it must'
