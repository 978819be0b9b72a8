// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// SoundTouch's C API, which is in a library of its own.
#pragma once
#include <SoundTouchDLL.h>

// Setting identifiers, which only the C++ header defines.
enum {
  SWIFTLET_SOUNDTOUCH_FILTER = 0,
  SWIFTLET_SOUNDTOUCH_SEQUENCE = 3,
  SWIFTLET_SOUNDTOUCH_SEEK = 4,
  SWIFTLET_SOUNDTOUCH_OVERLAP = 5,
  SWIFTLET_SOUNDTOUCH_MADE = 7,
};
