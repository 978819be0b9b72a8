// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Linux system calls that Swift cannot make itself, for control threads. CRealtime has those for the audio thread.
#pragma once

#include <stdint.h>
#include <sys/types.h>

/// Creates a close-on-exec memory file with a fixed size. Returns its descriptor, or −1 with errno set.
int swiftlet_new_memory(uint64_t size);

/// Seals a memory file against any further writable mapping. Returns −1 with errno set on failure.
int swiftlet_seal_memory(int file);

/// Opens a descriptor that becomes readable when a child of this process has ended (pidfd_open(2)). Returns −1 with
/// errno set on failure.
int swiftlet_watch_process(pid_t process);

/// Starts a program that the kernel ends when the calling *thread* ends, however it ends.
///
/// The program gets a process group of its own, default signal handlers, an empty signal mask, and
/// `descriptors[0..<count]` as its descriptors 0..<count. It inherits no other descriptor. `path` must be an absolute
/// path. Before the program begins, its process ID and a newline are written to the sockets `guards[0..<guard_count]`.
/// If `death_signal` is 0, the program outlives the thread. Returns 0 and sets `child`, or returns an errno.
int swiftlet_start_process(
  const char *path, char *const arguments[], char *const environment[], const int *descriptors, int count,
  const int *guards, int guard_count, int death_signal, pid_t *child);

/// Returns 1 if the kernel reliably ends a program, and all programs that it starts by `exec`, with the thread that
/// started it; otherwise 0.
///
/// The kernel clears the death signal of a program with file capabilities or with the set-user-ID or set-group-ID bit.
/// The programs that a script starts have no death signal.
int swiftlet_keeps_death_signal(const char *path);

/// Renames a file within two open folders and fails with EEXIST if the new name is taken (`renameat2` with
/// RENAME_NOREPLACE). Returns 0 or an errno; EINVAL or ENOSYS if the file system lacks this.
int swiftlet_rename_to_free_name(int old_folder, const char *old_name, int new_folder, const char *new_name);

/// Exchanges the names of two files or folders in an open folder, in one step (`renameat2` with RENAME_EXCHANGE).
/// Returns 0 or an errno; EINVAL or ENOSYS if the file system lacks this.
int swiftlet_exchange_names(int folder, const char *one, const char *other);

/// Opens a folder below an open folder. Neither `..`, an absolute path nor a symbolic link may lead outside (`openat2`
/// with RESOLVE_BENEATH). Returns a descriptor, or a negated errno; -ENOSYS if the kernel lacks the call.
int swiftlet_open_folder_beneath(int folder, const char *path);

/// Creates an anonymous file in memory. Returns a descriptor, or a negated errno.
int swiftlet_make_memory_file(const char *purpose);

/// Returns 1 if a loaded library, or a library that it needs, is linked to one whose name matches a pattern of
/// `fnmatch`; otherwise 0.
int swiftlet_library_needs(const char *path, const char *pattern);

/// Sends bytes and at most 8 descriptors as one message on a socket that preserves message boundaries. Returns 0, or
/// −1 with errno set.
int swiftlet_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, int count);

/// Waits for a message from `swiftlet_send_descriptors`. Sets `descriptors[0..<count]`, which are close-on-exec.
/// Returns the number of bytes, 0 if the peer has closed the socket, or −1 with errno set on an error or if the
/// message has another number of descriptors.
ssize_t swiftlet_receive_descriptors(int socket, void *bytes, size_t capacity, int *descriptors, int count);
