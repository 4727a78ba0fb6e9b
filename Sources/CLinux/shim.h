// Headers of Linux and glibc that Swift's own module of the C library leaves out.
#ifndef ERRAND_CLINUX_H
#define ERRAND_CLINUX_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <malloc.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A descriptor that becomes readable once something was written to it (eventfd(2)).
static inline int errand_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// A descriptor that becomes readable when a process ends (pidfd_open(2)); -1 when there is none.
static inline int errand_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/// Makes this process the parent of all below it whose own parents have ended (prctl(2)).
static inline int errand_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/// Renames without replacing what is there (renameat2(2)).
static inline int errand_rename_new(const char *from, const char *to) {
  return renameat2(-100, from, -100, to, RENAME_NOREPLACE);
}

#endif
