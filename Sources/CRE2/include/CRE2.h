#ifndef ERRAND_CRE2_H
#define ERRAND_CRE2_H
// A C face for RE2: compiled patterns, matching with groups, and the message of a bad pattern.

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cre2_pattern cre2_pattern;

/// A part of a text that a group matched; `start` is -1 for a group that took no part.
typedef struct cre2_span {
  ptrdiff_t start;
  ptrdiff_t end;
} cre2_span;

/// Compiles `text`; never returns NULL unless memory is out. Ask `cre2_error` before use.
cre2_pattern *cre2_new(const char *text, size_t length);
void cre2_delete(cre2_pattern *pattern);
/// The message of a pattern that did not compile, else NULL. Lives as long as the pattern.
const char *cre2_error(const cre2_pattern *pattern);
/// The number of groups, the whole match not counted.
int cre2_group_count(const cre2_pattern *pattern);
/// Whether the pattern matches anywhere in `text`.
bool cre2_matches(const cre2_pattern *pattern, const char *text, size_t length);
/// Finds the first match at or after `start`; fills `groups` with the whole match and the groups
/// after it, as many as `count` says.
bool cre2_find(const cre2_pattern *pattern, const char *text, size_t length, size_t start,
               cre2_span *groups, int count);

#ifdef __cplusplus
}
#endif
#endif
