#ifndef ERRAND_CRANKING_H
#define ERRAND_CRANKING_H

struct sqlite3;

/// Adds `errand_score` to the functions that queries of FTS5 tables on a connection may call.
///
/// `errand_score(table, numbers, uses length)` is BM25 over the first phrases of the query, with the
/// rarity of each given by the caller, since counting a common phrase to the end costs more than
/// everything else; larger is better. `numbers` is a blob of doubles: the idf of each phrase that
/// counts, then the weight of each column. Without length a row's size is not looked up.
/// Returns a result code of SQLite.
int errand_register_score(struct sqlite3 *database);

#endif
