#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# A value of the wrong dimension, such as a percentage for a time, does not compile.
set -eu
cd "$(dirname "$0")/../.."
python3 Tests/Tooling/dimensions.py
