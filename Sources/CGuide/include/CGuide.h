// The pages of docs/ that `errand help TOPIC` shows, in Markdown.
#ifndef ERRAND_CGUIDE_H
#define ERRAND_CGUIDE_H

/// A page.
struct guide_page {
  /// The topic, such as `failure`; null after the last page.
  const char *name;
  /// The Markdown in UTF-8.
  const char *text;
};

/// All pages in the order of `docs/language.md`.
const struct guide_page *guide_pages(void);

#endif
