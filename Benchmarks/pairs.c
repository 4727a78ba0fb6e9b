/* Runs commands in turn, many times, and prints for each: least and median time, peak memory.
 *
 * pairs COUNT WARMING -- COMMAND... -- COMMAND...
 *
 * With 1 for WARMING, a first round fills the caches and is not counted.
 *
 * Prints a line per command: minimum us, median us, peak KiB, exit status of the last run. The
 * output of the commands is discarded. {n} in an argument is replaced by the number of the round,
 * so that each call can do something new.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MAX_COMMANDS = 8 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

/* The arguments with {n} replaced; kept until the program ends. */
static char **numbered(char **arguments, int round) {
  int count = 0;
  while (arguments[count]) count++;
  char **copy = calloc(count + 1, sizeof *copy);
  for (int i = 0; i < count; i++) {
    char *mark = strstr(arguments[i], "{n}");
    copy[i] = arguments[i];
    if (mark && asprintf(&copy[i], "%.*s%d%s", (int)(mark - arguments[i]), arguments[i], round,
                         mark + 3) < 0)
      exit(1);
  }
  return copy;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 0;
  int warming = argc > 2 ? atoi(argv[2]) : 0;
  char **commands[MAX_COMMANDS];
  int commandCount = 0;
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "--") != 0) continue;
    argv[i] = NULL;
    if (commandCount == MAX_COMMANDS || i + 1 == argc) return 2;
    commands[commandCount++] = argv + i + 1;
  }
  if (count < 1 || commandCount == 0) return 2;

  double *times[MAX_COMMANDS];
  long peaks[MAX_COMMANDS] = {0};
  int statuses[MAX_COMMANDS] = {0};
  for (int c = 0; c < commandCount; c++) times[c] = malloc(sizeof(double) * count);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);

  for (int round = warming ? -1 : 0; round < count; round++) {
    for (int c = 0; c < commandCount; c++) {
      pid_t child;
      struct rusage usage;
      int status;
      char **arguments = numbered(commands[c], round);
      double start = now();
      if (posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) != 0) {
        fprintf(stderr, "pairs: cannot run %s\n", arguments[0]);
        return 1;
      }
      wait4(child, &status, 0, &usage);
      if (round >= 0) times[c][round] = now() - start;
      if (usage.ru_maxrss > peaks[c]) peaks[c] = usage.ru_maxrss;
      statuses[c] = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    }
  }
  for (int c = 0; c < commandCount; c++) {
    qsort(times[c], count, sizeof(double), compare);
    printf("%.0f %.0f %ld %d\n", times[c][0], times[c][count / 2], peaks[c], statuses[c]);
  }
  return 0;
}
