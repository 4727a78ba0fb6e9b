#ifndef ERRAND_CRE2_H
#define ERRAND_CRE2_H
// A C wrapper of RE2: compiled patterns, matching with groups, and errors of invalid patterns.

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cre2_pattern cre2_pattern;

/// The part of a text that a group matched; `start` is -1 for a group that did not participate.
typedef struct cre2_span {
  ptrdiff_t start;
  ptrdiff_t end;
} cre2_span;

/// Compiles `text`; returns NULL only if out of memory. Check `cre2_error` before use.
cre2_pattern *cre2_new(const char *text, size_t length);
void cre2_delete(cre2_pattern *pattern);
/// The error of an invalid pattern, else NULL; valid as long as the pattern.
const char *cre2_error(const cre2_pattern *pattern);
/// The number of groups, without the whole match.
int cre2_group_count(const cre2_pattern *pattern);
/// Whether the pattern matches anywhere in `text`.
bool cre2_matches(const cre2_pattern *pattern, const char *text, size_t length);
/// Finds the first match at or after `start`; fills up to `count` elements of `groups` with the
/// whole match and the groups after it.
bool cre2_find(const cre2_pattern *pattern, const char *text, size_t length, size_t start,
               cre2_span *groups, int count);

#ifdef __cplusplus
}
#endif
#endif
