// A wrapper of gumbo, the HTML5 parser, with limits on memory and time; see CHTML.c.
#ifndef ERRAND_CHTML_H
#define ERRAND_CHTML_H

#include <gumbo.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// A parsed page.
typedef struct chtml_tree chtml_tree;

// Parses UTF-8, which must outlive the tree. Returns NULL if that takes more than `memory` bytes or
// `milliseconds` of CPU time, or once `must_stop`, which is polled, returns true.
chtml_tree *chtml_parse(
    const char *text, size_t length, size_t memory, long milliseconds,
    bool (*must_stop)(void *context), void *context);

// The document node.
const GumboNode *chtml_document(const chtml_tree *tree);

void chtml_free(chtml_tree *tree);

#ifdef __cplusplus
}
#endif

#endif
