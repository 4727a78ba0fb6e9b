// Headers of Linux and glibc that Swift's own module of the C library leaves out.
#ifndef ERRAND_CLINUX_H
#define ERRAND_CLINUX_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A descriptor that becomes readable once something was written to it (eventfd(2)).
static inline int errand_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// A descriptor that becomes readable when a process ends (pidfd_open(2)); -1 when there is none.
static inline int errand_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/// Waits for descriptors, with a limit in nanoseconds; below 0 for none (ppoll(2)).
static inline int errand_poll(struct pollfd *polled, unsigned long count, long long nanoseconds) {
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(polled, count, nanoseconds < 0 ? NULL : &limit, NULL);
}

/// A pipe that programs which are started do not get (pipe2(2)).
static inline int errand_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

/// Makes this process the parent of all below it whose own parents have ended (prctl(2)).
static inline int errand_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/// Makes a program that is started run in a folder (posix_spawn_file_actions_addchdir_np(3)).
static inline int errand_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

/// Leaves a program that is started nothing open but its three streams
/// (posix_spawn_file_actions_addclosefrom_np(3)).
static inline int errand_spawn_close_others(posix_spawn_file_actions_t *actions) {
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

/// Renames without replacing what is there (renameat2(2)).
static inline int errand_rename_new(const char *from, const char *to) {
  return renameat2(-100, from, -100, to, RENAME_NOREPLACE);
}

#endif
