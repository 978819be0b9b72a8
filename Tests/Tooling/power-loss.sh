#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Takes survive a power cut, except for sound that was not yet on the disk.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -shared -fPIC -O1 -o "$work/power-loss.so" Tests/Tooling/power-loss.c -ldl -lpthread
python3 Tests/Tooling/power-loss.py "${SWIFTLET:-.build/release/swiftlet}" "$work/power-loss.so"
