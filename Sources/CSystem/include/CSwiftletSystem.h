// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Calls of Linux that Swift cannot make itself. For control threads; the audio thread's are in CRealtime.
#pragma once

#include <stdint.h>
#include <sys/types.h>

/// Makes a memory file of a size that cannot change any more, close-on-exec; −1 with an errno.
int swiftlet_new_memory(uint64_t size);

/// Keeps everybody from mapping a memory file for writing from now on; −1 with an errno.
int swiftlet_seal_memory(int file);

/// Opens a descriptor that becomes readable when a child of this process has ended (pidfd_open(2)); −1 with an errno.
int swiftlet_watch_process(pid_t process);

/// Starts a program that the kernel ends when the calling *thread* ends, however that happens.
///
/// The program gets a process group of its own, default signal handlers, an empty signal mask, and
/// `descriptors[0..<count]` as its descriptors 0..<count; it inherits no other descriptor.
/// `path` must be an absolute path. Before the program begins, its process number and a newline are written to the sockets
/// `guards[0..<guard_count]`. A `death_signal` of 0 lets the program outlive the thread. Returns 0 and sets `child`, or
/// returns an errno.
int swiftlet_start_process(
  const char *path, char *const arguments[], char *const environment[], const int *descriptors, int count,
  const int *guards, int guard_count, int death_signal, pid_t *child);

/// Whether the kernel certainly ends a program, and all that it starts by `exec`, with the thread that started it.
///
/// It clears the death signal of a program with file capabilities or with the set-user or set-group bit. A script may
/// start programs that have none. Returns 1 or 0.
int swiftlet_keeps_death_signal(const char *path);

/// Renames a file within two open folders and fails with EEXIST if the new name is taken (`renameat2` with
/// RENAME_NOREPLACE). Returns 0 or an errno; EINVAL and ENOSYS where the file system cannot do this.
int swiftlet_rename_to_free_name(int old_folder, const char *old_name, int new_folder, const char *new_name);

/// Exchanges the names of two files or folders in an open folder, in one step (`renameat2` with RENAME_EXCHANGE). Returns 0
/// or an errno; EINVAL and ENOSYS where the file system cannot do this.
int swiftlet_exchange_names(int folder, const char *one, const char *other);

/// Opens a folder below an open folder; neither `..`, an absolute path nor a symbolic link may lead outside
/// (`openat2` with RESOLVE_BENEATH). Returns a descriptor, or the negative of an errno; -ENOSYS where the kernel lacks the
/// call.
int swiftlet_open_folder_beneath(int folder, const char *path);

/// Makes a file that is in memory alone and has no name. Returns a descriptor, or the negative of an errno.
int swiftlet_make_memory_file(const char *purpose);

/// Makes C's standard output pass on each line at its end, wherever it leads.
void swiftlet_buffer_lines(void);

/// Passes on what C's standard output holds.
void swiftlet_flush_output(void);

/// Sends bytes and descriptors as one message of a socket that keeps messages apart; at most 8 descriptors. Returns 0, or −1
/// with an errno.
int swiftlet_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, int count);

/// Waits for such a message. Sets `descriptors[0..<count]`, which are close-on-exec. Returns the size of its bytes, 0 once the
/// other side has gone, and −1 with an errno, or where another count of descriptors came.
ssize_t swiftlet_receive_descriptors(int socket, void *bytes, size_t capacity, int *descriptors, int count);
