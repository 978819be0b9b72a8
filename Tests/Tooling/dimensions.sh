#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# A value of the wrong dimension does not compile: a percentage is no time.
set -eu
cd "$(dirname "$0")/../.."
python3 Tests/Tooling/dimensions.py
