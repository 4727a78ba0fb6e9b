#ifndef ERRAND_CRANKING_H
#define ERRAND_CRANKING_H

struct sqlite3;

/// Registers the SQL functions that searches use besides FTS5.
///
/// - `errand_score(table, numbers)`, in queries of FTS5 tables, is BM25 over the first phrases of the
///   query, as if all rows had the same length; larger is better. The caller gives the rarity of
///   each phrase, since counting the rows of a common one costs more than everything else. `numbers`
///   is a blob of doubles: the idf of each scored phrase, then the weight of each column.
/// - `errand_counts(phrases, text, ...)` counts the occurrences of phrases in texts. The result is a
///   blob of ints: for each text its number of words, then the count of each phrase. `phrases` has a
///   line per phrase, with fields separated by tabs: the number of its text or 0 for all, 1 if its
///   last word is a prefix or else 0, and its words.
/// - `errand_stands_in(text, phrase)` returns whether a text contains a phrase whose last word is a
///   prefix. FTS5 does this for a phrase with `*`, but collects such words from the whole index for
///   every row.
/// - `errand_completions(text, phrase)` returns the matches of such a phrase as written in the text,
///   one per line.
///
/// Texts are split into words by the tokenizer `unicode61` with `options`.
///
/// Returns an SQLite result code.
int errand_register_search(struct sqlite3 *database, const char **options, int option_count);

#endif
