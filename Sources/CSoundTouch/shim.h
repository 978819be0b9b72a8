// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The C functions that come with the library, in a library of their own.
#pragma once
#include <SoundTouchDLL.h>

// Numbers of settings, which only the C++ header names.
enum {
  SWIFTLET_SOUNDTOUCH_FILTER = 0,
  SWIFTLET_SOUNDTOUCH_SEQUENCE = 3,
  SWIFTLET_SOUNDTOUCH_SEEK = 4,
  SWIFTLET_SOUNDTOUCH_OVERLAP = 5,
  SWIFTLET_SOUNDTOUCH_MADE = 7,
};
