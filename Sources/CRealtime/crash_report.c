// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "crash_report.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

// A text buffer.
struct text {
  char bytes[2048];
  size_t length;
};

static void add(struct text *text, const char *words) {
  for (; *words && text->length < sizeof text->bytes; words++) text->bytes[text->length++] = *words;
}

static void add_number(struct text *text, uintptr_t number, unsigned base) {
  char digits[24];
  int index = sizeof digits - 1;
  digits[index] = 0;
  do {
    digits[--index] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number > 0 && index > 0);
  if (base == 16) add(text, "0x");
  add(text, digits + index);
}

static void print(int output, const struct text *text) {
  for (size_t done = 0; done < text->length;) {
    const ssize_t count = write(output, text->bytes + done, text->length - done);
    if (count <= 0) return;
    done += (size_t)count;
  }
}

static const char *signal_name(int number) {
  switch (number) {
  case SIGSEGV: return "SIGSEGV";
  case SIGBUS: return "SIGBUS";
  case SIGFPE: return "SIGFPE";
  case SIGILL: return "SIGILL";
  case SIGABRT: return "SIGABRT";
  case SIGTRAP: return "SIGTRAP";
  default: return "a signal";
  }
}

// A mapped file, as in a line of /proc/self/maps.
struct mapping {
  uintptr_t start, end, base;
  int is_code;
  char file[512];
};

static struct {
  char bytes[4096];
  ssize_t count, read;
  int file;
} maps;

static int next_byte(void) {
  if (maps.read == maps.count) {
    maps.count = read(maps.file, maps.bytes, sizeof maps.bytes);
    maps.read = 0;
    if (maps.count <= 0) return -1;
  }
  return (unsigned char)maps.bytes[maps.read++];
}

// Reads a hexadecimal number and the byte after it. Returns that byte.
static int read_hex(uintptr_t *number) {
  for (*number = 0;;) {
    const int byte = next_byte();
    if (byte >= '0' && byte <= '9') *number = *number * 16 + (uintptr_t)(byte - '0');
    else if (byte >= 'a' && byte <= 'f') *number = *number * 16 + (uintptr_t)(byte - 'a' + 10);
    else return byte;
  }
}

// Reads the next line: "start-end rwxp offset device inode   file".
static int next_mapping(struct mapping *line) {
  char last[sizeof line->file];
  const uintptr_t base = line->base;
  memcpy(last, line->file, sizeof last);
  if (read_hex(&line->start) != '-' || read_hex(&line->end) != ' ') return 0;
  int byte = 0, fields = 0, was_space = 1;
  size_t length = 0;
  line->is_code = 0;
  while ((byte = next_byte()) != '\n' && byte >= 0) {
    if (fields < 5 && byte == ' ') {
      was_space = 1;
      continue;
    }
    if (was_space && fields < 5) fields++;
    was_space = 0;
    if (fields == 1 && byte == 'x') line->is_code = 1;
    if (fields == 5 && length + 1 < sizeof line->file) line->file[length++] = (char)byte;
  }
  line->file[length] = 0;
  // The mappings of one file are consecutive and begin with its first byte.
  line->base = length > 0 && !strcmp(line->file, last) ? base : line->start;
  return byte == '\n';
}

static int begin_mappings(struct mapping *line) {
  memset(line, 0, sizeof *line);
  maps.count = maps.read = 0;
  maps.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  return maps.file >= 0;
}

static void locate(struct swiftlet_location *location, uintptr_t address) {
  struct mapping line;
  if (!begin_mappings(&line)) return;
  while (!location->is_known && next_mapping(&line)) {
    if (address < line.start || address >= line.end || !line.file[0]) continue;
    memcpy(location->file, line.file, sizeof location->file);
    location->offset = address - line.base;
    location->is_known = 1;
  }
  close(maps.file);
}

// Finds the newest return address on the stack that lies in a library.
static void locate_caller(struct swiftlet_crash *crash, const char *library) {
  struct mapping line;
  uintptr_t start = 0, end = 0, base = 0, stack_end = 0;
  if (!begin_mappings(&line)) return;
  while (next_mapping(&line)) {
    if (crash->stack >= line.start && crash->stack < line.end) stack_end = line.end;
    if (!line.is_code || strcmp(line.file, library) != 0) continue;
    if (start == 0) start = line.start;
    end = line.end;
    base = line.base;
  }
  close(maps.file);
  const uintptr_t *word = (const uintptr_t *)(crash->stack & ~(sizeof(uintptr_t) - 1));
  for (int count = 0; count < 8192 && (uintptr_t)(word + 1) <= stack_end; count++, word++) {
    if (*word < start || *word >= end) continue;
    memcpy(crash->caller.file, library, strnlen(library, sizeof crash->caller.file - 1));
    crash->caller.offset = *word - base;
    crash->caller.is_known = 1;
    return;
  }
}

void swiftlet_locate_crash(struct swiftlet_crash *crash) {
  locate(&crash->at, crash->code);
  // A thread that a plugin has started is in no recorded call.
  if (!crash->note && !crash->call.plugin && crash->at.is_known) {
    crash->note = swiftlet_find_library(crash->at.file);
  }
  crash->is_plugins = crash->note != NULL || crash->call.plugin != NULL;
  const uintptr_t distance =
    crash->address > crash->stack ? crash->address - crash->stack : crash->stack - crash->address;
  crash->is_overflow = crash->signal == SIGSEGV && crash->has_address && distance < 64 * 1024;
  if (crash->note && crash->note->library[0] && strcmp(crash->note->library, crash->at.file) != 0) {
    locate_caller(crash, crash->note->library);
  }
}

static void add_location(struct text *text, const char *word, const struct swiftlet_location *location) {
  if (!location->is_known) return;
  const char *name = location->file;
  for (const char *byte = name; *byte; byte++) {
    if (*byte == '/') name = byte + 1;
  }
  add(text, word);
  add(text, name);
  add(text, "+");
  add_number(text, location->offset, 16);
}

void swiftlet_print_locations(
  int output, const char *before, const struct swiftlet_crash *crash, const char *function, const char *after) {
  struct text text = {.length = 0};
  add(&text, before);
  const size_t start = text.length;
  add_location(&text, "", &crash->at);
  if (function && strnlen(function, 256) < 256) {
    add(&text, " (");
    add(&text, function);
    add(&text, ")");
  }
  add_location(&text, crash->at.is_known ? ", called from " : "called from ", &crash->caller);
  for (size_t index = start; index < text.length; index++) {
    const unsigned char byte = (unsigned char)text.bytes[index];
    if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\') text.bytes[index] = '?';
  }
  add(&text, after);
  print(output, &text);
}

// "the plugin of 'gate' (urn:x)", with as much of it as is known.
static void add_plugin(struct text *text, const struct swiftlet_crash *crash) {
  const struct swiftlet_note *note = crash->note;
  add(text, note && note->node[0] ? "the plugin of '" : note ? "the plugin <" : "a plugin");
  if (note && note->node[0]) {
    add(text, note->node);
    add(text, "' <");
  }
  if (!note) return;
  add(text, note->uri);
  add(text, ">");
}

static void add_function(struct text *text, const char *word, const struct swiftlet_crash *crash) {
  add(text, word);
  add(text, crash->call.plugin ? swiftlet_function_name(crash->call.function) : "a thread of its own");
}

static void add_duration(struct text *text, const struct swiftlet_crash *crash) {
  add_function(text, " has not returned from ", crash);
  add(text, " for ");
  add_number(text, crash->stuck_tenths / 10, 10);
  add(text, " s");
}

void swiftlet_print_left_thread(int output, const struct swiftlet_crash *crash) {
  struct text text = {.length = 0};
  add(&text, "swiftlet: warning: ");
  add_plugin(&text, crash);
  add_duration(&text, crash);
  add(&text, "; its thread is abandoned, and everything else continues\n");
  print(output, &text);
}

void swiftlet_print_crash(int output, const struct swiftlet_crash *crash) {
  struct text text = {.length = 0};
  add(&text, "swiftlet: error: ");
  if (!crash->is_plugins) {
    add(&text, crash->is_exit ? "a library has ended the program" : "Swiftlet has crashed: ");
    if (!crash->is_exit) {
      add(&text, signal_name(crash->signal));
      add_location(&text, " at ", &crash->at);
    }
    add(&text, "\n");
    return print(output, &text);
  }
  add_plugin(&text, crash);
  if (crash->is_exit) {
    add_function(&text, " ended the program in ", crash);
    add(&text, ", by exit with status ");
    add_number(&text, (uintptr_t)(unsigned)crash->exit_status, 10);
  } else if (crash->stuck_tenths > 0) {
    add_duration(&text, crash);
  } else {
    add_function(&text, " crashed in ", crash);
    add(&text, ": ");
    add(&text, signal_name(crash->signal));
    if (crash->is_overflow) add(&text, ", a stack overflow,");
    if (crash->has_address) {
      add(&text, " for the address ");
      add_number(&text, crash->address, 16);
    }
  }
  add_location(&text, ", at ", &crash->at);
  add_location(&text, ", called from ", &crash->caller);
  add(&text, "\n");
  print(output, &text);
}

static void add_takes(struct text *text, int count) {
  add_number(text, (uintptr_t)count, 10);
  add(text, count == 1 ? " take" : " takes");
}

void swiftlet_print_rescue(int output, int finished, int left) {
  struct text text = {.length = 0};
  if (finished > 0) {
    add(&text, "swiftlet: ");
    add_takes(&text, finished);
    add(&text, finished == 1 ? " is finished\n" : " are finished\n");
  }
  if (left > 0) {
    add(&text, "swiftlet: error: ");
    add_takes(&text, left);
    add(&text, left == 1 ? " is" : " are");
    add(&text, " not finished; finish with 'swiftlet recover FOLDER'\n");
  }
  if (left < 0) add(&text, "swiftlet: error: takes may not be finished; finish them with 'swiftlet recover FOLDER'\n");
  print(output, &text);
}

void swiftlet_print_advice(int output, const struct swiftlet_crash *crash, int keeps_core) {
  struct text text = {.length = 0};
  const int has_node = crash->note && crash->note->node[0];
  add(&text, "swiftlet: to protect everything else from this plugin, run it in a process of its own: --isolate ");
  add(&text, has_node ? crash->note->node : "all");
  add(&text, ", or isolate: true in the manifest");
  if (!keeps_core) add(&text, "; for a core dump, which helps the plugin's author, add --core");
  add(&text, "\n");
  print(output, &text);
}
