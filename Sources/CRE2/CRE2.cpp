#include "CRE2.h"

#include <new>
#include <re2/re2.h>

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

bool cre2_matches(const cre2_pattern *pattern, const char *text, size_t length) {
  return pattern->re.Match(re2::StringPiece(text, length), 0, length, RE2::UNANCHORED, nullptr, 0);
}
