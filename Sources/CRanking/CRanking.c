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

// How FTS5 parts a text into words.
typedef struct {
  fts5_tokenizer tokenizer;
  Fts5Tokenizer *instance;
} Splitter;

static void freeSplitter(void *pointer) {
  Splitter *splitter = pointer;
  if (splitter->instance) splitter->tokenizer.xDelete(splitter->instance);
  sqlite3_free(splitter);
}

// The words of a phrase, each with its length before it.
typedef struct {
  int count;
  int used, size;
  char *bytes;
} Phrase;

static void freePhrase(void *pointer) {
  Phrase *phrase = pointer;
  sqlite3_free(phrase->bytes);
  sqlite3_free(phrase);
}

static int addWord(void *pointer, int flags, const char *word, int length, int start, int end) {
  (void)flags, (void)start, (void)end;
  Phrase *phrase = pointer;
  int needed = phrase->used + (int)sizeof(int) + length;
  if (needed > phrase->size) {
    char *bytes = sqlite3_realloc(phrase->bytes, 2 * needed);
    if (bytes == 0) return SQLITE_NOMEM;
    phrase->bytes = bytes;
    phrase->size = 2 * needed;
  }
  memcpy(phrase->bytes + phrase->used, &length, sizeof(int));
  memcpy(phrase->bytes + phrase->used + sizeof(int), word, (size_t)length);
  phrase->used = needed;
  phrase->count++;
  return SQLITE_OK;
}

// A walk through a text, and how far each beginning of the phrase stands before where it is.
typedef struct {
  const Phrase *phrase;
  // Whether the first n words of the phrase were the last n of the text, for each n.
  char *ends;
  int isFound;
  // Where what was found is written, a line each; without it the first is enough.
  sqlite3_str *found;
} Walk;

// Writes the phrase as it stands in the text: only its last word may be another.
static void writeFound(const Walk *walk, const char *last, int length) {
  const char *word = walk->phrase->bytes;
  for (int index = 1; index < walk->phrase->count; index++) {
    int size;
    memcpy(&size, word, sizeof(int));
    sqlite3_str_append(walk->found, word + sizeof(int), size);
    sqlite3_str_appendchar(walk->found, 1, ' ');
    word += sizeof(int) + size;
  }
  sqlite3_str_append(walk->found, last, length);
  sqlite3_str_appendchar(walk->found, 1, '\n');
}

static int takeWord(void *pointer, int flags, const char *word, int length, int start, int end) {
  (void)flags, (void)start, (void)end;
  Walk *walk = pointer;
  int count = walk->phrase->count;
  const char *wanted = walk->phrase->bytes;
  // What stood before this word is lost as it is replaced, so one is kept.
  char before = 1;
  for (int index = 1; index <= count; index++) {
    int size;
    memcpy(&size, wanted, sizeof(int));
    int isSame = (index == count ? length >= size : length == size)
        && memcmp(word, wanted + sizeof(int), (size_t)size) == 0;
    char ends = before && isSame;
    before = walk->ends[index];
    walk->ends[index] = ends;
    wanted += sizeof(int) + size;
  }
  if (!walk->ends[count]) return SQLITE_OK;
  walk->isFound = 1;
  if (walk->found == 0) return SQLITE_DONE;
  writeFound(walk, word, length);
  return SQLITE_OK;
}

// The words of the phrase that is the second argument, kept while the statement runs; null, and an
// error set, when there is no memory.
static const Phrase *phraseOf(
    sqlite3_context *context, const Splitter *splitter, sqlite3_value *argument) {
  Phrase *phrase = sqlite3_get_auxdata(context, 1);
  if (phrase) return phrase;
  phrase = sqlite3_malloc(sizeof *phrase);
  if (phrase == 0) {
    sqlite3_result_error_nomem(context);
    return 0;
  }
  memset(phrase, 0, sizeof *phrase);
  const char *words = (const char *)sqlite3_value_text(argument);
  int status = splitter->tokenizer.xTokenize(
      splitter->instance, phrase, FTS5_TOKENIZE_QUERY, words ? words : "",
      sqlite3_value_bytes(argument), addWord);
  if (status != SQLITE_OK) {
    freePhrase(phrase);
    sqlite3_result_error_code(context, status);
    return 0;
  }
  sqlite3_set_auxdata(context, 1, phrase, freePhrase);
  // It may have been freed at once.
  phrase = sqlite3_get_auxdata(context, 1);
  if (phrase == 0) sqlite3_result_error_nomem(context);
  return phrase;
}

// Looks for a phrase in a text; an error is set where it can't be done.
static int walkThrough(sqlite3_context *context, sqlite3_value **arguments, Walk *walk) {
  Splitter *splitter = sqlite3_user_data(context);
  const char *text = (const char *)sqlite3_value_text(arguments[0]);
  walk->phrase = phraseOf(context, splitter, arguments[1]);
  if (walk->phrase == 0) return SQLITE_ERROR;
  if (text == 0 || walk->phrase->count == 0) return SQLITE_OK;
  walk->ends = sqlite3_malloc(walk->phrase->count + 1);
  if (walk->ends == 0) {
    sqlite3_result_error_nomem(context);
    return SQLITE_NOMEM;
  }
  memset(walk->ends, 0, (size_t)walk->phrase->count + 1);
  int status = splitter->tokenizer.xTokenize(
      splitter->instance, walk, FTS5_TOKENIZE_DOCUMENT, text, sqlite3_value_bytes(arguments[0]),
      takeWord);
  sqlite3_free(walk->ends);
  if (status == SQLITE_DONE) return SQLITE_OK;
  if (status != SQLITE_OK) sqlite3_result_error_code(context, status);
  return status;
}

static void standsIn(sqlite3_context *context, int argumentCount, sqlite3_value **arguments) {
  (void)argumentCount;
  Walk walk = {0};
  if (walkThrough(context, arguments, &walk) == SQLITE_OK) {
    sqlite3_result_int(context, walk.isFound);
  }
}

static void completions(sqlite3_context *context, int argumentCount, sqlite3_value **arguments) {
  (void)argumentCount;
  Walk walk = {0};
  walk.found = sqlite3_str_new(sqlite3_context_db_handle(context));
  int status = walkThrough(context, arguments, &walk);
  int length = sqlite3_str_length(walk.found);
  char *text = sqlite3_str_finish(walk.found);
  if (status != SQLITE_OK) {
    sqlite3_free(text);
  } else if (text) {
    sqlite3_result_text(context, text, length, sqlite3_free);
  } else {
    sqlite3_result_text(context, "", 0, SQLITE_STATIC);
  }
}

// Adds a function of a text and a phrase.
static int addFunction(
    sqlite3 *database, fts5_api *api, const char **options, int optionCount, const char *name,
    void (*function)(sqlite3_context *, int, sqlite3_value **)) {
  void *userData = 0;
  Splitter *splitter = sqlite3_malloc(sizeof *splitter);
  if (splitter == 0) return SQLITE_NOMEM;
  splitter->instance = 0;
  int status = api->xFindTokenizer(api, "unicode61", &userData, &splitter->tokenizer);
  if (status == SQLITE_OK) {
    status = splitter->tokenizer.xCreate(userData, options, optionCount, &splitter->instance);
  }
  if (status != SQLITE_OK) {
    splitter->instance = 0;
    freeSplitter(splitter);
    return status;
  }
  // This frees the splitter where it fails, too.
  return sqlite3_create_function_v2(
      database, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, splitter, function,
      0, 0, freeSplitter);
}

int errand_register_search(sqlite3 *database, const char **options, int optionCount) {
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
  status = api->xCreateFunction(api, "errand_score", 0, score, 0);
  if (status == SQLITE_OK) {
    status = addFunction(database, api, options, optionCount, "errand_stands_in", standsIn);
  }
  if (status == SQLITE_OK) {
    status = addFunction(database, api, options, optionCount, "errand_completions", completions);
  }
  return status;
}
