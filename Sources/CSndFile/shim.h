// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#pragma once
#include <stdbool.h>
#include <stdint.h>

#include <sndfile.h>

// Gets the first loop of a file's instrument chunk. Returns false if there is none or it does not loop forwards. Swift
// cannot import the array.
static inline bool swiftlet_first_loop(SNDFILE *file, uint32_t *start, uint32_t *end) {
  SF_INSTRUMENT instrument;
  if (!sf_command(file, SFC_GET_INSTRUMENT, &instrument, sizeof instrument)) return false;
  if (instrument.loop_count < 1 || instrument.loops[0].mode != SF_LOOP_FORWARD) return false;
  *start = instrument.loops[0].start;
  *end = instrument.loops[0].end;
  return true;
}
