// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#pragma once
#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>
