#include "CRE2.h"

#include <algorithm>
#include <new>
#include <re2/re2.h>

namespace {
// Maximum number of groups per call: the whole match and nine groups.
constexpr int kMaxGroups = 10;
}  // namespace

struct cre2_pattern {
  RE2 re;
  cre2_pattern(re2::StringPiece text, const RE2::Options &options) : re(text, options) {}
};

cre2_pattern *cre2_new(const char *text, size_t length) {
  RE2::Options options;
  options.set_log_errors(false);
  return new (std::nothrow) cre2_pattern(re2::StringPiece(text, length), options);
}

void cre2_delete(cre2_pattern *pattern) { delete pattern; }

const char *cre2_error(const cre2_pattern *pattern) {
  return pattern->re.ok() ? nullptr : pattern->re.error().c_str();
}

int cre2_group_count(const cre2_pattern *pattern) {
  return pattern->re.NumberOfCapturingGroups();
}

bool cre2_matches(const cre2_pattern *pattern, const char *text, size_t length) {
  return pattern->re.Match(re2::StringPiece(text, length), 0, length, RE2::UNANCHORED, nullptr, 0);
}

bool cre2_find(const cre2_pattern *pattern, const char *text, size_t length, size_t start,
               cre2_span *groups, int count) {
  re2::StringPiece found[kMaxGroups];
  count = std::min(count, kMaxGroups);
  if (!pattern->re.Match(re2::StringPiece(text, length), start, length, RE2::UNANCHORED, found,
                         count))
    return false;
  for (int i = 0; i < count; i++) {
    bool matched = found[i].data() != nullptr;
    groups[i].start = matched ? found[i].data() - text : -1;
    groups[i].end = matched ? groups[i].start + static_cast<ptrdiff_t>(found[i].size()) : -1;
  }
  return true;
}
