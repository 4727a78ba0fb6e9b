// Calls of Linux and glibc that Swift's own module of the C library leaves out.
// The header asks for no feature macros and includes nothing of the system's that they change:
// it would then differ from the headers that Swift has already read. Only CLinux.c asks for them.
#ifndef ERRAND_CLINUX_H
#define ERRAND_CLINUX_H

#include <poll.h>
#include <spawn.h>
#include <stddef.h>

/// A descriptor that becomes readable once something was written to it (eventfd(2)).
int errand_eventfd(void);

/// A descriptor that becomes readable when a process ends (pidfd_open(2)); -1 when there is none.
int errand_pidfd_open(int pid);

/// Waits for descriptors, with a limit in nanoseconds; below 0 for none (ppoll(2)).
int errand_poll(struct pollfd *polled, unsigned long count, long long nanoseconds);

/// A pipe that programs which are started do not get (pipe2(2)).
int errand_pipe(int ends[2]);

/// Makes this process the parent of all below it whose own parents have ended (prctl(2)).
int errand_adopt_orphans(void);

/// Makes a program that is started run in a folder (posix_spawn_file_actions_addchdir_np(3)).
int errand_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder);

/// Leaves a program that is started nothing open from a descriptor on
/// (posix_spawn_file_actions_addclosefrom_np(3)).
int errand_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// A descriptor that becomes readable at a time of the wall's clock, and when that clock is set
/// (timerfd_create(2)); -1 when there is none to be had.
int errand_wall_timer(long long seconds, long nanoseconds);

/// A descriptor that becomes readable when a way to other machines comes or goes (rtnetlink(7)); -1 when
/// there is none to be had.
int errand_route_watch(void);

/// Renames without replacing what is there (renameat2(2)).
int errand_rename_new(const char *from, const char *to);

/// A file in memory that nobody can change any more, which a program that takes our place gets
/// (memfd_create(2)); -1 when it can't be made.
int errand_sealed_file(const void *bytes, size_t count);

/// Whether a descriptor is such a file.
int errand_is_sealed(int descriptor);

/// Keeps the memory of this process out of core files and from other programs (prctl(2)).
int errand_hide_memory(void);

/// The bytes that the process has allocated and not freed, on the heap and in maps of their own
/// (mallinfo2(3)).
size_t errand_allocated_bytes(void);

#endif
