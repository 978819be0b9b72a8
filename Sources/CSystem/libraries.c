// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "CSwiftletSystem.h"

#include <dlfcn.h>
#include <fnmatch.h>
#include <link.h>
#include <stddef.h>

enum { MOST_LIBRARIES = 512 };

static struct link_map *find_map(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  struct link_map *map = NULL;
  if (!library) return NULL;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) map = NULL;
  dlclose(library);
  return map;
}

int swiftlet_library_needs(const char *path, const char *pattern) {
  struct link_map *maps[MOST_LIBRARIES] = {find_map(path)};
  int count = maps[0] ? 1 : 0;
  for (int next = 0; next < count; next++) {
    ElfW(Addr) names = 0;
    for (const ElfW(Dyn) *entry = maps[next]->l_ld; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_STRTAB) names = entry->d_un.d_ptr;
    }
    // The loader replaces the offset by an address on most machines.
    if (names < maps[next]->l_addr) names += maps[next]->l_addr;
    for (const ElfW(Dyn) *entry = maps[next]->l_ld; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag != DT_NEEDED) continue;
      const char *name = (const char *)(names + entry->d_un.d_val);
      if (fnmatch(pattern, name, 0) == 0) return 1;
      struct link_map *map = find_map(name);
      int known = 0;
      while (known < count && maps[known] != map) known++;
      if (map && known == count && count < MOST_LIBRARIES) maps[count++] = map;
    }
  }
  return 0;
}
