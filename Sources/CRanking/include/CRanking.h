#ifndef ERRAND_CRANKING_H
#define ERRAND_CRANKING_H

struct sqlite3;

/// Makes known to a connection what searches call besides FTS5.
///
/// `errand_score(table, numbers)`, in queries of FTS5 tables, is BM25 over the first phrases of the
/// query as if all rows were of one length, with the rarity of each given by the caller, since
/// counting a common phrase to the end costs more than everything else; larger is better. `numbers`
/// is a blob of doubles: the idf of each phrase that counts, then the weight of each column.
///
/// `errand_counts(phrases, text, ...)` counts how often phrases stand in texts: a blob of ints, for
/// each text the number of its words, then that of each phrase. `phrases` has a line for each: the
/// number of its text or 0 for all, a tab, 1 where its last word may go on, else 0, a tab, its words.
///
/// `errand_stands_in(text, phrase)` tells whether the words of a phrase stand side by side in a text
/// whose last one may go on, as a phrase with `*` in FTS5, which collects such words from the whole
/// index each time it is asked of a row. `errand_completions(text, phrase)` gives the phrase as it
/// stands there, a line for each place. Words are parted by the tokenizer `unicode61` with `options`.
///
/// Returns a result code of SQLite.
int errand_register_search(struct sqlite3 *database, const char **options, int option_count);

#endif
