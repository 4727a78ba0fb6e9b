// System calls and glibc functions missing from Swift's Glibc module.
// The header defines no feature macros and includes no system header that depends on them: it would
// then conflict with the headers that Swift has imported. Only CLinux.c defines them.
#ifndef ERRAND_CLINUX_H
#define ERRAND_CLINUX_H

#include <poll.h>
#include <spawn.h>
#include <stddef.h>

/// Creates a descriptor that becomes readable after a write to it (eventfd(2)).
int errand_eventfd(void);

/// Creates a descriptor that becomes readable when a process ends (pidfd_open(2)); -1 on failure.
int errand_pidfd_open(int pid);

/// Waits for descriptors, with a timeout in nanoseconds; negative for none (ppoll(2)).
int errand_poll(struct pollfd *polled, unsigned long count, long long nanoseconds);

/// Creates a pipe that child programs do not inherit (pipe2(2)).
int errand_pipe(int ends[2]);

/// Makes the kernel send SIGTERM to this process when its parent ends (prctl(2)).
int errand_end_with_parent(void);

/// Makes this process adopt its orphaned descendants (prctl(2)).
int errand_adopt_orphans(void);

/// Sets the working folder of a spawned program (posix_spawn_file_actions_addchdir_np(3)).
int errand_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder);

/// Closes all descriptors from `first` on in a spawned program
/// (posix_spawn_file_actions_addclosefrom_np(3)).
int errand_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// Creates a descriptor that becomes readable at a wall-clock time, or when the clock is set
/// (timerfd_create(2)); -1 on failure.
int errand_wall_timer(long long seconds, long nanoseconds);

/// Creates a descriptor that becomes readable when a network link or route changes (rtnetlink(7));
/// -1 on failure.
int errand_route_watch(void);

/// Renames a file without replacing an existing one (renameat2(2)).
int errand_rename_new(const char *from, const char *to);

/// Creates a sealed in-memory file that is kept across exec (memfd_create(2)); -1 on failure.
int errand_sealed_file(const void *bytes, size_t count);

/// Whether a descriptor is a sealed in-memory file.
int errand_is_sealed(int descriptor);

/// Puts a key into the user's keyring, readable by the same user, for a number of seconds
/// (add_key(2)); -1 on failure.
int errand_key_add(const char *name, const void *bytes, size_t count, unsigned seconds);

/// The number of a key in the user's keyring; negative if there is none.
long errand_key_find(const char *name);

/// Reads a key of a known size; -1 if there is none.
int errand_key_read(const char *name, void *bytes, size_t count);

/// Takes a key out of the user's keyring.
void errand_key_remove(const char *name);

/// Creates an empty file in memory (memfd_create(2)); -1 on failure.
int errand_memory_file(void);

/// Hides the memory of this process from core dumps and other programs (prctl(2)).
int errand_hide_memory(void);

/// The number of allocated bytes, on the heap and in separate mappings (mallinfo2(3)).
size_t errand_allocated_bytes(void);

/// Makes the allocator map each block of 1 MiB or more by itself, now and later, so that it goes back
/// to the system when it is freed (mallopt(3)). By default the size grows to 32 MiB, and blocks of
/// many threads stay in their arenas.
void errand_map_large_blocks(void);

/// The name of a signal without `SIG`; NULL if unknown (sigabbrev_np(3)).
const char *errand_signal_name(int signal);

#endif
