#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Thirty kills of recordings, their servers and their recoveries lose nothing. `make torture` does the same for longer.
set -eu
cd "$(dirname "$0")/../.."
Scripts/torture "${SWIFTLET:-.build/release/swiftlet}" --servers --kills "${KILLS:-30}" --seed "$(date +%s)"
