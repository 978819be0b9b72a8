// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "CSwiftletRealtime.h"

#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

// The streams that existed when the program started. C++ streams write to these.
static FILE *first_output;
static int has_labels;

// Writes to the descriptor `cookie`. A write to a pipe is not interleaved with others unless it is longer than the
// kernel's PIPE_BUF of 4096 bytes. If the pipe is full the text is lost, since a plugin on the audio thread must not wait.
static ssize_t write_labelled(void *cookie, const char *text, size_t size) {
  enum { LONGEST_RECORD = 2048 };
  const int descriptor = (int)(intptr_t)cookie;
  const struct swiftlet_note *note = NULL;
  if (__atomic_load_n(&has_labels, __ATOMIC_ACQUIRE)) note = swiftlet_find_note(swiftlet_call.plugin);
  char head[sizeof note->node + 2];
  const int length = note && note->node[0] ? snprintf(head, sizeof head, "\1%s\2", note->node) : 0;
  for (size_t done = 0; done < size;) {
    const size_t count = size - done < LONGEST_RECORD ? size - done : LONGEST_RECORD;
    const struct iovec parts[] = {
      {head, (size_t)length}, {(char *)text + done, count}, {(char *)"\3", length > 0 ? 1 : 0},
    };
    if (writev(descriptor, parts, 3) < 0) break;
    done += count;
  }
  // A stream stops after an error.
  return (ssize_t)size;
}

static FILE *labelled(int descriptor, int buffering) {
  const cookie_io_functions_t functions = {.write = write_labelled};
  FILE *stream = fopencookie((void *)(intptr_t)descriptor, "w", functions);
  if (stream) setvbuf(stream, NULL, buffering, 0);
  return stream;
}

void swiftlet_label_output(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  first_output = stdout;
  FILE *output = labelled(1, _IOLBF), *error = labelled(2, _IONBF);
  if (output) stdout = output;
  if (error) stderr = error;
  __atomic_store_n(&has_labels, 1, __ATOMIC_RELEASE);
}

void swiftlet_stop_labels(void) { __atomic_store_n(&has_labels, 0, __ATOMIC_RELEASE); }

void swiftlet_flush_output(void) {
  fflush(stdout);
  if (first_output) fflush(first_output);
}
