// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "CSwiftletRealtime.h"
#include "crash_report.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

extern int swiftlet_catches_crashes;

// The exit status after a plugin's failure.
enum { FAILED_PLUGIN = 3 };
// How long to wait for the rescue thread, and how often to check it, in milliseconds.
enum { TIMEOUT = 2000, PAUSE = 5 };

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
static struct sigaction before[65];
static struct swiftlet_crash_settings settings;
static pid_t process;
static int keeps_core, exit_is_announced, crashed, is_over, finished_takes, left_takes;
static sem_t woken;
// The thread that does not return and was sent SIGABRT; 0 for none.
static int32_t stuck_thread;
static uint32_t stuck_tenths;
static int stuck_is_reported;

static void pause_for(int milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

int swiftlet_has_crashed(void) { return __atomic_load_n(&crashed, __ATOMIC_ACQUIRE); }

void swiftlet_park(void) {
  // Blocks all signals, so that the kernel delivers them to other threads.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  for (;;) pause_for(1000);
}

// Returns whether the caller is the first to report a crash.
static int claim(void) {
  int no = 0;
  return __atomic_compare_exchange_n(&crashed, &no, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// Prints the report while the rescue thread works, and waits for that thread.
static void report(const struct swiftlet_crash *crash) {
  sem_post(&woken);
  settings.before_report();
  swiftlet_print_crash(settings.output, crash);
  settings.after_first_line();
  for (int waited = 0; waited < TIMEOUT && !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE); waited += PAUSE) {
    pause_for(PAUSE);
  }
  const int known = __atomic_load_n(&is_over, __ATOMIC_ACQUIRE);
  swiftlet_print_rescue(settings.output, known ? finished_takes : -1, known ? left_takes : -1);
  if (crash->is_plugins) swiftlet_print_advice(settings.output, crash, keeps_core);
}

static void describe(struct swiftlet_crash *crash, int number, const siginfo_t *info, const ucontext_t *context) {
  crash->signal = number;
  crash->call = swiftlet_call;
  crash->note = swiftlet_find_note(swiftlet_call.plugin);
#if defined(__x86_64__)
  crash->code = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  crash->stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  crash->code = (uintptr_t)context->uc_mcontext.pc;
  crash->stack = (uintptr_t)context->uc_mcontext.sp;
#endif
  crash->has_address = info->si_code > 0 && (number == SIGSEGV || number == SIGBUS);
  crash->address = (uintptr_t)info->si_addr;
  swiftlet_locate_crash(crash);
}

void swiftlet_prepare_locations(void) {
  process = getpid();
  __atomic_store_n(&swiftlet_catches_crashes, 1, __ATOMIC_RELEASE);
}

void swiftlet_print_location(
  int output, const char *before, const char *after, int number, const void *info, const void *context) {
  // A process that a plugin has forked reports nothing. This calls the C library's functions, not the sanitizer's.
  if (getpid() != process) return;
  rt_third_party_enter();
  struct swiftlet_crash crash = {0};
  describe(&crash, number, info, context);
  if (crash.at.is_known || crash.caller.is_known) {
    swiftlet_print_locations(output, before, &crash, NULL, after);
    // dladdr may crash, if the loader is what has crashed, so the location is printed first without it.
    Dl_info found;
    if (dladdr((void *)crash.code, &found) && found.dli_sname) {
      swiftlet_print_locations(output, before, &crash, found.dli_sname, after);
    }
  }
  rt_third_party_exit();
}

static void catch_signal(int number, siginfo_t *info, void *context) {
  const int error = errno;
  rt_third_party_enter();
  // A process that a plugin has forked has no takes.
  if (getpid() != process) {
    sigaction(number, &before[number], NULL);
    if (info->si_code <= 0 || number == SIGTRAP) raise(number);
    return;
  }
  const int is_stuck =
    number == SIGABRT && __atomic_load_n(&stuck_thread, __ATOMIC_ACQUIRE) == (int32_t)syscall(SYS_gettid);
  if (is_stuck) __atomic_store_n(&stuck_is_reported, 1, __ATOMIC_RELEASE);
  else if (!claim()) swiftlet_park();
  struct swiftlet_crash crash = {0};
  crash.stuck_tenths = is_stuck ? stuck_tenths : 0;
  describe(&crash, number, info, context);
  report(&crash);
  if (crash.is_plugins && !keeps_core) _exit(FAILED_PLUGIN);
  sigaction(number, &before[number], NULL);
  // A faulting instruction faults again by itself; a breakpoint or a sent signal must be raised again.
  if (number == SIGTRAP || info->si_code <= 0) raise(number);
  rt_third_party_exit();
  errno = error;
}

static void catch_exit(int status, void *unused) {
  (void)unused;
  if (getpid() != process || __atomic_load_n(&exit_is_announced, __ATOMIC_ACQUIRE)) {
    // While a crash is being reported, the report ends the program with its own status.
    if (getpid() == process && swiftlet_has_crashed()) swiftlet_park();
    return;
  }
  if (!claim()) swiftlet_park();
  struct swiftlet_crash crash = {0};
  crash.is_exit = 1;
  crash.exit_status = status;
  crash.call = swiftlet_call;
  crash.note = swiftlet_find_note(swiftlet_call.plugin);
  crash.is_plugins = swiftlet_call.plugin != NULL;
  report(&crash);
  _exit(crash.is_plugins ? FAILED_PLUGIN : status);
}

void swiftlet_catch_crashes(struct swiftlet_crash_settings given) {
  settings = given;
  process = getpid();
  sem_init(&woken, 0, 0);
  __atomic_store_n(&swiftlet_catches_crashes, 1, __ATOMIC_RELEASE);
  swiftlet_prepare_thread(0);
  for (unsigned index = 0; index < sizeof signals / sizeof *signals; index++) {
    struct sigaction action = {.sa_sigaction = catch_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    // Blocks all signals during the handler; a fault in it ends the program.
    sigfillset(&action.sa_mask);
    sigaction(signals[index], &action, &before[signals[index]]);
  }
  on_exit(catch_exit, NULL);
}

void swiftlet_keep_core(void) { keeps_core = 1; }

void swiftlet_announce_exit(void) { __atomic_store_n(&exit_is_announced, 1, __ATOMIC_RELEASE); }

void swiftlet_await_crash(void) {
  while (sem_wait(&woken) != 0 && errno == EINTR) {
  }
}

void swiftlet_rescue_is_over(int finished, int left) {
  finished_takes = finished;
  left_takes = left;
  __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
}

void swiftlet_print_stuck(struct swiftlet_stuck stuck, double seconds) {
  struct swiftlet_crash crash = {.stuck_tenths = (uint32_t)(seconds * 10 + 0.5)};
  crash.call = (struct swiftlet_call){.plugin = stuck.plugin, .function = stuck.function};
  crash.note = swiftlet_find_note(stuck.plugin);
  swiftlet_print_left_thread(settings.output, &crash);
}

void swiftlet_end_stuck(struct swiftlet_stuck stuck, double seconds) {
  if (!claim()) swiftlet_park();
  stuck_tenths = (uint32_t)(seconds * 10 + 0.5);
  __atomic_store_n(&stuck_thread, stuck.thread, __ATOMIC_RELEASE);
  // The stuck thread reports its own location. If the signal does not reach it in time, the report is made here.
  syscall(SYS_tgkill, process, stuck.thread, SIGABRT);
  pause_for(500);
  if (__atomic_load_n(&stuck_is_reported, __ATOMIC_ACQUIRE)) swiftlet_park();
  struct swiftlet_crash crash = {.signal = SIGABRT, .is_plugins = 1, .stuck_tenths = stuck_tenths};
  crash.call = (struct swiftlet_call){.plugin = stuck.plugin, .function = stuck.function};
  crash.note = swiftlet_find_note(stuck.plugin);
  report(&crash);
  _exit(FAILED_PLUGIN);
}
