#include "CHTML.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

// gumbo has no limits: it does not check the result of malloc, frees a tree recursively, and takes
// quadratic time for some pages. So the memory of a tree is an arena that is freed at once, and
// the parser is left by longjmp when a limit is exceeded; it owns no other resources.
struct block {
  struct block *next;
  size_t used, size;
};

struct chtml_tree {
  struct block *blocks;
  GumboOutput *output;
  size_t taken, limit;
  int64_t deadline;
  bool (*must_stop)(void *);
  void *stop_context;
  unsigned calls;
  jmp_buf give_up;
};

static int64_t processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void *take(void *context, size_t size) {
  chtml_tree *tree = context;
  size = (size + 15) & ~(size_t)15;
  tree->taken += size;
  if (tree->taken > tree->limit) longjmp(tree->give_up, 1);
  if ((++tree->calls & 255) == 0
      && (processor_time() > tree->deadline || tree->must_stop(tree->stop_context)))
    longjmp(tree->give_up, 1);
  struct block *block = tree->blocks;
  if (!block || block->size - block->used < size) {
    size_t room = size > 65536 ? size : 65536;
    // The header has 32 bytes, so that the rest is aligned as by malloc.
    block = malloc(32 + room);
    if (!block) longjmp(tree->give_up, 1);
    block->next = tree->blocks;
    block->used = 0;
    block->size = room;
    tree->blocks = block;
  }
  void *result = (char *)block + 32 + block->used;
  block->used += size;
  return result;
}

static void keep(void *context, void *pointer) {
  (void)context;
  (void)pointer;
}

chtml_tree *chtml_parse(
    const char *text, size_t length, size_t memory, long milliseconds,
    bool (*must_stop)(void *context), void *context) {
  chtml_tree *tree = calloc(1, sizeof *tree);
  if (!tree) return NULL;
  tree->limit = memory;
  tree->must_stop = must_stop;
  tree->stop_context = context;
  tree->deadline = processor_time() + milliseconds;
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = take;
  options.deallocator = keep;
  options.userdata = tree;
  options.max_errors = 0;
  if (setjmp(tree->give_up)) {
    chtml_free(tree);
    return NULL;
  }
  tree->output = gumbo_parse_with_options(&options, text, length);
  return tree;
}

const GumboNode *chtml_document(const chtml_tree *tree) { return tree->output->document; }

void chtml_free(chtml_tree *tree) {
  struct block *block = tree->blocks;
  while (block) {
    struct block *next = block->next;
    free(block);
    block = next;
  }
  free(tree);
}
