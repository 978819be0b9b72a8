// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The library's own C API. The library is GPL-2.0-or-later, and so is a program that is built with it.
#pragma once
#include <rubberband/rubberband-c.h>
