// Runs a program and records the functions it enters, in the order of their first calls.
//
//   call-tracer OUTPUT PROGRAM [WORD…]
//
// Sets a breakpoint on every Swift function in the program's symbol table; the first call removes it.
// Follows threads, children and programs of the same folder that it executes; detaches from others.
// A line of OUTPUT has the path of the program, the address of the function, and the addresses of its
// callers, innermost first.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// A function of a program: its offset in the file, and the byte replaced by its breakpoint.
typedef struct {
  uint64_t address;
  uint8_t byte;
  int is_noted;
} Function;

// A traced program.
typedef struct {
  char path[PATH_MAX];
  // The address of its first segment, which a static program is loaded at.
  uint64_t start;
  Function *functions;
  size_t count;
} Image;

enum { most_images = 4, most_processes = 1 << 12, most_frames = 1000 };
static Image images[most_images];
static int image_count;
// The image of each process and thread with its load address, by a hash of its id.
static struct {
  pid_t pid;
  Image *image;
  uint64_t base;
} processes[most_processes];
static FILE *output;

static void fail(const char *what) {
  fprintf(stderr, "call-tracer: %s: %s\n", what, strerror(errno));
  exit(125);
}

static int is_earlier(const void *first, const void *second) {
  uint64_t a = ((const Function *)first)->address, b = ((const Function *)second)->address;
  return a < b ? -1 : a > b;
}

static Image *known_image(const char *path) {
  for (int index = 0; index < image_count; index++)
    if (strcmp(images[index].path, path) == 0) return &images[index];
  return NULL;
}

// The functions of a file; read once.
static Image *image_of(const char *path) {
  Image *known = known_image(path);
  if (known) return known;
  if (image_count == most_images) return NULL;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) fail(path);
  const char *file = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (file == MAP_FAILED) fail(path);
  const Elf64_Ehdr *head = (const void *)file;
  const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
  const Elf64_Phdr *segments = (const void *)(file + head->e_phoff);
  Image *image = &images[image_count++];
  snprintf(image->path, sizeof image->path, "%s", path);
  for (int segment = head->e_phnum - 1; segment >= 0; segment--)
    if (segments[segment].p_type == PT_LOAD) image->start = segments[segment].p_vaddr & ~0xFFFull;
  for (int index = 0; index < head->e_shnum; index++) {
    if (sections[index].sh_type != SHT_SYMTAB) continue;
    const Elf64_Sym *symbols = (const void *)(file + sections[index].sh_offset);
    const char *names = file + sections[sections[index].sh_link].sh_offset;
    size_t count = sections[index].sh_size / sizeof *symbols;
    image->functions = calloc(count, sizeof *image->functions);
    for (size_t symbol = 0; symbol < count; symbol++) {
      const char *name = names + symbols[symbol].st_name;
      if (ELF64_ST_TYPE(symbols[symbol].st_info) != STT_FUNC || symbols[symbol].st_shndx == 0 ||
          symbols[symbol].st_size == 0 || strncmp(name, "$s", 2) != 0)
        continue;
      image->functions[image->count++].address = symbols[symbol].st_value;
    }
  }
  qsort(image->functions, image->count, sizeof *image->functions, is_earlier);
  size_t kept = 0;
  for (size_t index = 0; index < image->count; index++)
    if (index == 0 || image->functions[index].address != image->functions[kept - 1].address)
      image->functions[kept++] = image->functions[index];
  image->count = kept;
  for (size_t index = 0; index < kept; index++) {
    // The file offset and the address of code differ by the same amount as those of its segment.
    for (int segment = 0; segment < head->e_phnum; segment++) {
      uint64_t offset = image->functions[index].address - segments[segment].p_vaddr;
      if (segments[segment].p_type == PT_LOAD && offset < segments[segment].p_filesz)
        image->functions[index].byte = file[segments[segment].p_offset + offset];
    }
  }
  munmap((void *)file, status.st_size);
  return image;
}

static int place_of(pid_t pid) {
  int place = pid % most_processes;
  while (processes[place].pid != 0 && processes[place].pid != pid)
    place = (place + 1) % most_processes;
  return place;
}

// Gets the path of a process's program; false if the process has ended.
static int program_of(pid_t pid, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/%d/exe", pid);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return 1;
}

// Records the program of a process or thread, and its load address.
static int know(pid_t pid, Image *image) {
  char path[64], line[PATH_MAX + 128];
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  FILE *maps = fopen(path, "re");
  if (!maps || !fgets(line, sizeof line, maps)) fail(path);
  fclose(maps);
  int place = place_of(pid);
  processes[place].pid = pid;
  processes[place].image = image;
  processes[place].base = strtoull(line, NULL, 16) - image->start;
  return place;
}

// Sets the breakpoints of a process after exec, except those already hit by another process.
static void watch(pid_t pid, Image *image) {
  uint64_t base = processes[know(pid, image)].base;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", pid);
  int memory = open(path, O_RDWR | O_CLOEXEC);
  if (memory < 0) fail(path);
  uint8_t stop = 0xCC;
  for (size_t index = 0; index < image->count; index++)
    if (!image->functions[index].is_noted &&
        pwrite(memory, &stop, 1, base + image->functions[index].address) != 1)
      fail(path);
  close(memory);
}

static uint64_t word_at(int memory, uint64_t address) {
  uint64_t word = 0;
  return pread(memory, &word, sizeof word, address) == sizeof word ? word : 0;
}

// Writes a line about the first call of a function. Swift keeps frame pointers: a frame begins with
// the caller's, followed by the return address.
static void note(
    pid_t pid, uint64_t base, Image *image, Function *function,
    const struct user_regs_struct *registers) {
  fprintf(output, "%s 0x%lx", image->path, function->address);
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", pid);
  int memory = open(path, O_RDONLY | O_CLOEXEC);
  if (memory < 0) fail(path);
  uint64_t end = base + image->functions[image->count - 1].address + (1 << 16);
  uint64_t caller = word_at(memory, registers->rsp), frame = registers->rbp;
  for (int depth = 0; depth < most_frames && caller != 0; depth++) {
    if (caller > base + image->start && caller < end) fprintf(output, " 0x%lx", caller - 1 - base);
    uint64_t next = word_at(memory, frame);
    caller = next > frame ? word_at(memory, frame + 8) : 0;
    frame = next;
  }
  close(memory);
  fputc('\n', output);
}

// Whether a trap was one of our breakpoints, which is then removed.
static int passes(pid_t pid) {
  int place = place_of(pid);
  if (!processes[place].image) {
    // A thread may start before its event arrives.
    char path[PATH_MAX];
    Image *known = program_of(pid, path) ? known_image(path) : NULL;
    if (known) place = know(pid, known);
  }
  Image *image = processes[place].image;
  struct user_regs_struct registers;
  if (!image || ptrace(PTRACE_GETREGS, pid, NULL, &registers) != 0) return 0;
  Function wanted = {.address = registers.rip - 1 - processes[place].base};
  Function *function =
      bsearch(&wanted, image->functions, image->count, sizeof wanted, is_earlier);
  if (!function) return 0;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", pid);
  int memory = open(path, O_RDWR | O_CLOEXEC);
  if (memory < 0 || pwrite(memory, &function->byte, 1, registers.rip - 1) != 1) fail(path);
  close(memory);
  registers.rip -= 1;
  ptrace(PTRACE_SETREGS, pid, NULL, &registers);
  if (!function->is_noted) note(pid, processes[place].base, image, function, &registers);
  function->is_noted = 1;
  return 1;
}

int main(int count, char **words) {
  if (count < 3) {
    fprintf(stderr, "usage: call-tracer OUTPUT PROGRAM [WORD...]\n");
    return 125;
  }
  output = fopen(words[1], "we");
  if (!output) fail(words[1]);
  char program[PATH_MAX], folder[PATH_MAX];
  if (!realpath(words[2], program)) fail(words[2]);
  strcpy(folder, program);
  dirname(folder);
  pid_t first = fork();
  if (first < 0) fail("fork");
  if (first == 0) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) fail("ptrace");
    execv(program, words + 2);
    fail(program);
  }
  int status;
  if (waitpid(first, &status, 0) < 0 || !WIFSTOPPED(status)) return 125;
  long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                 PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  ptrace(PTRACE_SETOPTIONS, first, NULL, options);
  watch(first, image_of(program));
  ptrace(PTRACE_CONT, first, NULL, 0);
  int result = 0;
  pid_t pid;
  while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
    if (pid < 0) continue;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (pid == first) result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      continue;
    }
    int number = WSTOPSIG(status), event = status >> 16;
    int passed = number;
    if (event == PTRACE_EVENT_EXEC) {
      char path[PATH_MAX];
      processes[place_of(pid)].image = NULL;
      if (!program_of(pid, path) || strncmp(path, folder, strlen(folder)) != 0) {
        ptrace(PTRACE_DETACH, pid, NULL, 0);
        continue;
      }
      watch(pid, image_of(path));
      passed = 0;
    } else if (event != 0) {
      unsigned long child = 0;
      ptrace(PTRACE_GETEVENTMSG, pid, NULL, &child);
      int from = place_of(pid), to = place_of((pid_t)child);
      processes[to] = processes[from];
      processes[to].pid = (pid_t)child;
      passed = 0;
    } else if (number == SIGTRAP && passes(pid)) {
      passed = 0;
    } else if (number == SIGSTOP) {
      // The initial stop of a thread or child.
      passed = 0;
    }
    ptrace(PTRACE_CONT, pid, NULL, passed);
  }
  fclose(output);
  return result;
}
