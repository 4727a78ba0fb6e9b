#define _GNU_SOURCE 1
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int errand_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int errand_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int errand_poll(struct pollfd *polled, unsigned long count, long long nanoseconds) {
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(polled, count, nanoseconds < 0 ? NULL : &limit, NULL);
}

int errand_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int errand_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); }

int errand_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int errand_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int errand_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// keyctl(2); libkeyutils would be a library for four calls.
enum {
  errand_user_keyring = -4,
  errand_key_set_permissions = 5,
  errand_key_search = 10,
  errand_key_read_bytes = 11,
  errand_key_set_timeout = 15,
  errand_key_invalidate = 21,
};

int errand_key_add(const char *name, const void *bytes, size_t count, unsigned seconds) {
  long key = syscall(SYS_add_key, "user", name, bytes, count, errand_user_keyring);
  if (key < 0) return -1;
  if (syscall(SYS_keyctl, errand_key_set_timeout, key, seconds) == 0 &&
      syscall(SYS_keyctl, errand_key_set_permissions, key, 0x3f0b0000) == 0)
    return 0;
  int reason = errno;
  syscall(SYS_keyctl, errand_key_invalidate, key);
  errno = reason;
  return -1;
}

long errand_key_find(const char *name) {
  return syscall(SYS_keyctl, errand_key_search, errand_user_keyring, "user", name, 0);
}

int errand_key_read(const char *name, void *bytes, size_t count) {
  long key = errand_key_find(name);
  if (key < 0) return -1;
  return syscall(SYS_keyctl, errand_key_read_bytes, key, bytes, count) == (long)count ? 0 : -1;
}

void errand_key_remove(const char *name) {
  long key = errand_key_find(name);
  if (key >= 0) syscall(SYS_keyctl, errand_key_invalidate, key);
}

int errand_memory_file(void) { return memfd_create("errand", MFD_CLOEXEC); }

int errand_rename_new(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

enum { errand_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

int errand_sealed_file(const void *bytes, size_t count) {
  int descriptor = memfd_create("errand", MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  const char *next = bytes;
  size_t left = count;
  while (left > 0) {
    ssize_t written = write(descriptor, next, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    next += written;
    left -= (size_t)written;
  }
  if (left == 0 && fcntl(descriptor, F_ADD_SEALS, errand_seals) == 0) return descriptor;
  close(descriptor);
  return -1;
}

int errand_wall_timer(long long seconds, long nanoseconds) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0) return -1;
  struct itimerspec when = {{0, 0}, {seconds, nanoseconds}};
  // A time of 0 would disarm the timer.
  if (seconds <= 0) when.it_value.tv_sec = 1;
  if (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL) == 0) {
    return timer;
  }
  close(timer);
  return -1;
}

int errand_route_watch(void) {
  int watch = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (watch < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
  if (bind(watch, (struct sockaddr *)&address, sizeof address) == 0) return watch;
  close(watch);
  return -1;
}

int errand_is_sealed(int descriptor) {
  return fcntl(descriptor, F_GET_SEALS) == errand_seals;
}

int errand_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

size_t errand_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void errand_map_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

const char *errand_signal_name(int signal) { return sigabbrev_np(signal); }
