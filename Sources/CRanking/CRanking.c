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
  // The phrases that count are the first ones of the query.
  int phrases = argumentCount > 0 ? sqlite3_value_int(arguments[0]) : 0;
  int columns = api->xColumnCount(fts);
  if (phrases < 0 || phrases > api->xPhraseCount(fts)
      || argumentCount != phrases + columns + 2) {
    sqlite3_result_error(context, "errand_score: wrong number of arguments", -1);
    return;
  }
  sqlite3_value **rarity = arguments + 1, **weights = rarity + phrases;
  if (phrases > maxPhrases) phrases = maxPhrases;

  double frequency[maxPhrases];
  memset(frequency, 0, sizeof frequency);
  double weight[maxColumns];
  for (int column = 0; column < columns && column < maxColumns; column++) {
    weight[column] = sqlite3_value_double(weights[column]);
  }
  int instances = 0;
  int status = api->xInstCount(fts, &instances);
  for (int index = 0; status == SQLITE_OK && index < instances; index++) {
    int phrase = 0, column = 0, offset = 0;
    status = api->xInst(fts, index, &phrase, &column, &offset);
    if (status == SQLITE_OK && phrase < phrases && column < maxColumns) {
      frequency[phrase] += weight[column];
    }
  }

  double length = 1;
  if (status == SQLITE_OK && sqlite3_value_int(arguments[argumentCount - 1]) != 0) {
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
    double idf = sqlite3_value_double(rarity[phrase]);
    double count = frequency[phrase];
    result += idf * count * (k1 + 1) / (count + k1 * (1 - b + b * length));
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
