/* The least that running programs can cost: posix_spawn and waitpid, one after the other.
 *
 * spawn COUNT PROGRAM  runs a program COUNT times
 * spawn                does nothing; the program to run
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

int main(int count, char **words) {
  if (count < 3) return 0;
  char *program[] = {words[2], NULL};
  for (long left = atol(words[1]); left > 0; left--) {
    pid_t child;
    int status = posix_spawn(&child, words[2], NULL, NULL, program, environ);
    if (status != 0) {
      fprintf(stderr, "spawn: %s: %s\n", words[2], strerror(status));
      return 1;
    }
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  return 0;
}
