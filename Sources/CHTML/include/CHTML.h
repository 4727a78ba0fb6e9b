// A face for gumbo, the parser of HTML 5, which bounds what a page may cost; see CHTML.c.
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

// Parses UTF-8, which must stay where it is as long as the tree does. NULL where that would take
// more than `memory` bytes, or more than `milliseconds` of the processor, or once `must_stop`, which
// is asked now and then, says so.
chtml_tree *chtml_parse(
    const char *text, size_t length, size_t memory, long milliseconds,
    bool (*must_stop)(void *context), void *context);

// The node of the whole document.
const GumboNode *chtml_document(const chtml_tree *tree);

void chtml_free(chtml_tree *tree);

#ifdef __cplusplus
}
#endif

#endif
