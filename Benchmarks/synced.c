/* The least that keeping a few bytes can cost: a new file, written and synced, and its name as well,
 * which fsync(2) does not promise to sync with the file.
 *
 * synced FOLDER TEXT  creates a file in a folder, and the folder if missing
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 3) return 2;
  char path[4096];
  mkdir(words[1], 0700);
  snprintf(path, sizeof path, "%s/%d", words[1], (int)getpid());
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file < 0 || write(file, words[2], strlen(words[2])) < 0 || fsync(file) != 0) {
    perror(path);
    return 1;
  }
  close(file);
  int folder = open(words[1], O_RDONLY | O_DIRECTORY);
  if (folder < 0 || fsync(folder) != 0) {
    perror(words[1]);
    return 1;
  }
  return 0;
}
