#include "CRanking.h"

#include <sqlite3.h>
#include <string.h>

// The usual constants of BM25, the same as in FTS5 (https://sqlite.org/fts5.html §5.1.1).
static const double k1 = 1.2;
static const double b = 0.75;

// A query has a few phrases, and an entity a few searched properties; more are not counted.
enum { maxPhrases = 64, maxColumns = 64 };

static void score(
    const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int argumentCount,
    sqlite3_value **arguments) {
  int columns = api->xColumnCount(fts);
  // One value for all numbers: SQLite would copy each of many anew for every match.
  const char *numbers = argumentCount == 2 ? sqlite3_value_blob(arguments[0]) : 0;
  int numberCount = numbers ? sqlite3_value_bytes(arguments[0]) / (int)sizeof(double) : 0;
  // The phrases that count are the first ones of the query.
  int phrases = numberCount - columns;
  if (phrases < 0 || phrases > api->xPhraseCount(fts)) {
    sqlite3_result_error(context, "errand_score: wrong arguments", -1);
    return;
  }
  double weight[maxColumns];
  memcpy(
      weight, numbers + sizeof(double) * phrases,
      sizeof(double) * (columns < maxColumns ? columns : maxColumns));
  if (phrases > maxPhrases) phrases = maxPhrases;
  double rarity[maxPhrases];
  memcpy(rarity, numbers, sizeof(double) * phrases);

  double frequency[maxPhrases];
  int status = SQLITE_OK;
  for (int phrase = 0; status == SQLITE_OK && phrase < phrases; phrase++) {
    frequency[phrase] = 0;
    Fts5PhraseIter place;
    int column = 0, offset = 0;
    status = api->xPhraseFirst(fts, phrase, &place, &column, &offset);
    while (status == SQLITE_OK && column >= 0) {
      if (column < maxColumns) frequency[phrase] += weight[column];
      api->xPhraseNext(fts, &place, &column, &offset);
    }
  }

  double length = 1;
  if (status == SQLITE_OK && sqlite3_value_int(arguments[1]) != 0) {
    sqlite3_int64 rows = 0, total = 0;
    int size = 0;
    status = api->xRowCount(fts, &rows);
    if (status == SQLITE_OK) status = api->xColumnTotalSize(fts, -1, &total);
    if (status == SQLITE_OK) status = api->xColumnSize(fts, -1, &size);
    if (status == SQLITE_OK && rows > 0 && total > 0) {
      length = size / ((double)total / (double)rows);
    }
  }
  if (status != SQLITE_OK) {
    sqlite3_result_error_code(context, status);
    return;
  }

  double result = 0;
  for (int phrase = 0; phrase < phrases; phrase++) {
    double count = frequency[phrase];
    result += rarity[phrase] * count * (k1 + 1) / (count + k1 * (1 - b + b * length));
  }
  sqlite3_result_double(context, result);
}

int errand_register_score(sqlite3 *database) {
  // How an extension finds FTS5's interface (https://sqlite.org/fts5.html §7).
  fts5_api *api = 0;
  sqlite3_stmt *statement = 0;
  int status = sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, 0);
  if (status != SQLITE_OK) return status;
  status = sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", 0);
  if (status == SQLITE_OK) sqlite3_step(statement);
  int finished = sqlite3_finalize(statement);
  if (status != SQLITE_OK) return status;
  if (finished != SQLITE_OK) return finished;
  if (api == 0) return SQLITE_ERROR;
  return api->xCreateFunction(api, "errand_score", 0, score, 0);
}
