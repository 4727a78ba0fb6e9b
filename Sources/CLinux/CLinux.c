#define _GNU_SOURCE 1
#include "CLinux.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int errand_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int errand_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int errand_poll(struct pollfd *polled, unsigned long count, long long nanoseconds) {
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(polled, count, nanoseconds < 0 ? NULL : &limit, NULL);
}

int errand_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int errand_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int errand_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int errand_spawn_close_others(posix_spawn_file_actions_t *actions) {
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int errand_rename_new(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

size_t errand_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
