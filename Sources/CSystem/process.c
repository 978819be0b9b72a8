// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "CSwiftletSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

// The child's inputs and its error result. The child shares this memory with the parent until `execve`.
struct Start {
  const char *path;
  char *const *arguments;
  char *const *environment;
  const int *descriptors;
  int count;
  const int *guards;
  int guard_count;
  int death_signal;
  pid_t parent;
  volatile int error;
};

// Writes this process's ID, which is also its process group's, and a newline to each guard.
static void notify_guards(const struct Start *start) {
  char text[16];
  size_t first = sizeof text;
  text[--first] = '\n';
  for (unsigned rest = (unsigned)getpid(); rest > 0; rest /= 10) text[--first] = (char)('0' + rest % 10);
  for (int i = 0; i < start->guard_count; ++i) {
    send(start->guards[i], text + first, sizeof text - first, MSG_NOSIGNAL);
  }
}

// Runs in the child, on the stack of the suspended parent (vfork). Makes system calls only.
static void become_program(struct Start *start) {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(number, &usual, NULL);
  }
  if (setpgid(0, 0) != 0) goto failed;
  if (prctl(PR_SET_PDEATHSIG, start->death_signal) != 0) goto failed;
  // If the parent has died before the call above, the kernel will send no death signal.
  if (start->death_signal != 0 && getppid() != start->parent) _exit(127);
  // Runs before execve, which may clear the death signal, and before dup2 below replaces descriptors.
  notify_guards(start);
  // Duplicates all descriptors above the target range first, so that no dup2 overwrites a source.
  int copies[16];
  for (int i = 0; i < start->count; ++i) {
    copies[i] = fcntl(start->descriptors[i], F_DUPFD_CLOEXEC, start->count);
    if (copies[i] < 0) goto failed;
  }
  for (int i = 0; i < start->count; ++i) {
    if (dup2(copies[i], i) < 0) goto failed;
  }
  // Best effort: exec closes this program's own descriptors, but a library's may lack close-on-exec.
  syscall(SYS_close_range, (unsigned)start->count, ~0U, CLOSE_RANGE_CLOEXEC);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(start->path, start->arguments, start->environment);
failed:
  start->error = errno;
  _exit(127);
}

int swiftlet_start_process(
  const char *path, char *const arguments[], char *const environment[], const int *descriptors, int count,
  const int *guards, int guard_count, int death_signal, pid_t *child) {
  if (count < 0 || count > 16) return EINVAL;
  struct Start start = {
    path, arguments, environment, descriptors, count, guards, guard_count, death_signal, getpid(), 0};
  // Blocks all signals: no handler may run in the child while it shares the memory of this program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  // vfork, not fork: fork would write-protect the audio thread's pages and cause page faults there.
  pid_t started = vfork();
  if (started == 0) {
    become_program(&start);
    _exit(127);
  }
  int error = started < 0 ? errno : start.error;
  if (started > 0 && error != 0) {
    while (waitpid(started, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error == 0) *child = started;
  return error;
}

int swiftlet_keeps_death_signal(const char *path) {
  struct stat facts;
  if (stat(path, &facts) != 0 || (facts.st_mode & (S_ISUID | S_ISGID)) != 0) return 0;
  if (getxattr(path, "security.capability", NULL, 0) >= 0) return 0;
  // A script may start other programs, which do not get the signal. An unreadable file counts as a script.
  char first[2];
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return 0;
  ssize_t count = pread(file, first, sizeof first, 0);
  close(file);
  return count == 2 && !(first[0] == '#' && first[1] == '!');
}

int swiftlet_watch_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
