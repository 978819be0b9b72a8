#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# The checks of the documents find planted faults and report their positions.
set -eu
work=$(mktemp -d .build/documents-XXXXXX)
trap 'rm -rf "$work"' EXIT

refuses() { # expected-text command...
  expected=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    echo "documents: '$*' does not detect the planted fault"
    exit 1
  fi
  grep -qF -- "$expected" "$work/log" || {
    echo "documents: '$*' does not print '$expected', but:"
    cat "$work/log"
    exit 1
  }
}

page() { # name: writes standard input to a page
  cat >"$work/$1.md"
}

page manifest <<'PAGE'
# Page

```yaml
swiftlet: 1
nodes: { mic: capture, tone: { effect: equaliser } }
```
PAGE
refuses 'manifest.md:4' Scripts/manifests "$work/manifest.md"

page excerpt <<'PAGE'
<!-- excerpt of: docs/cookbook/batch.yaml -->
```yaml
nodes: { voice: playback }
```
PAGE
refuses 'does not have this excerpt' Scripts/manifests "$work/excerpt.md"

page console <<'PAGE'
```console
$ swiftlet check batch.yaml
batch.yaml: good: 7 nodes, 5 wires, 0 taps
```
PAGE
refuses 'good: 6 nodes' Scripts/manifests "$work/console.md"

cat >"$work/silent.yaml" <<'YAML'
#   swiftlet render silent.yaml --input nobody=voice.wav -o out.wav

swiftlet: 1
nodes: { mic: capture, desk: playback }
wires: [ mic -> desk ]
YAML
refuses "nobody" Scripts/manifests "$work/silent.yaml"

page link <<'PAGE'
See [the other page](nowhere.md#part).
PAGE
refuses "link.md:1: nothing is at 'nowhere.md'" Scripts/manifests "$work/link.md"

page snippet <<'PAGE'
<!-- given: echo: EffectNode<Delay> -->
```swift
echo.time.value = .decibels(3)
```
PAGE
refuses 'snippet.md:3' Scripts/snippets "$work/snippet.md"

page tutorial <<'PAGE'
<!-- excerpt of: Examples/OwnEffect/Sources/OwnEffect/Effects.swift -->
```swift
visitor.visit(Delay.self)
```
PAGE
refuses 'does not have this excerpt' Scripts/snippets "$work/tutorial.md"

mkdir "$work/Fault.docc"
printf '# ``Swiftlet``\n\nA link to ``AudioEngine/nothing``.\n' >"$work/Fault.docc/Swiftlet.md"
refuses "'nothing' doesn't exist" Scripts/docs "$work/Fault.docc" "$work/site"
printf '# ``Swiftlet``\n\nA picture: ![](picture.svg)\n' >"$work/Fault.docc/Swiftlet.md"
refuses 'no alternative text' Scripts/docs "$work/Fault.docc" "$work/site"

echo 'documents: each planted fault is found'
