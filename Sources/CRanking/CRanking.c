#include "CRanking.h"

#include <sqlite3.h>
#include <string.h>

// The usual constant of BM25, as in FTS5 (https://sqlite.org/fts5.html §5.1.1).
static const double k1 = 1.2;

// Limits that queries and entities do not reach in practice; more are not counted.
enum { maxPhrases = 64, maxColumns = 64 };

static void score(
    const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int argumentCount,
    sqlite3_value **arguments) {
  int columns = api->xColumnCount(fts);
  // One blob for all numbers: SQLite would copy separate arguments for every match.
  const char *numbers = argumentCount == 1 ? sqlite3_value_blob(arguments[0]) : 0;
  int numberCount = numbers ? sqlite3_value_bytes(arguments[0]) / (int)sizeof(double) : 0;
  // The scored phrases are the first ones of the query.
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

  if (status != SQLITE_OK) {
    sqlite3_result_error_code(context, status);
    return;
  }

  double result = 0;
  for (int phrase = 0; phrase < phrases; phrase++) {
    double count = frequency[phrase];
    result += rarity[phrase] * count * (k1 + 1) / (count + k1);
  }
  sqlite3_result_double(context, result);
}

// FTS5's tokenizer.
typedef struct {
  fts5_tokenizer tokenizer;
  Fts5Tokenizer *instance;
} Splitter;

static void freeSplitter(void *pointer) {
  Splitter *splitter = pointer;
  if (splitter->instance) splitter->tokenizer.xDelete(splitter->instance);
  sqlite3_free(splitter);
}

// The words of a phrase, each preceded by its length.
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

// A scan of a text that keeps track of all partial matches of the phrase.
typedef struct {
  const Phrase *phrase;
  // For each n, whether the last n words of the text are the first n of the phrase.
  char *ends;
  int isFound;
  // Receives the matches, one per line; if null, the scan ends at the first match.
  sqlite3_str *found;
} Walk;

// Appends a match as written in the text: only its last word may differ from the phrase.
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
  // Each entry depends on the previous one, which is overwritten, so its old value is kept.
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

// The words of the phrase in the second argument, cached while the statement runs; null, with the
// error set, if out of memory.
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
  // SQLite may have freed it already.
  phrase = sqlite3_get_auxdata(context, 1);
  if (phrase == 0) sqlite3_result_error_nomem(context);
  return phrase;
}

// Searches a text for a phrase; sets the error on failure.
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

// Words as ranges of one growing buffer, which is reused.
typedef struct {
  int *starts, *lengths;
  int count, room;
  char *bytes;
  int used, size;
} Words;

static void clearWords(Words *words) { words->count = words->used = 0; }

static void freeWords(Words *words) {
  sqlite3_free(words->starts);
  sqlite3_free(words->lengths);
  sqlite3_free(words->bytes);
}

static int appendWord(void *pointer, int flags, const char *word, int length, int start, int end) {
  (void)flags, (void)start, (void)end;
  Words *words = pointer;
  if (words->count == words->room) {
    int room = words->room ? 2 * words->room : 64;
    int *starts = sqlite3_realloc64(words->starts, sizeof(int) * (sqlite3_uint64)room);
    if (starts == 0) return SQLITE_NOMEM;
    words->starts = starts;
    int *lengths = sqlite3_realloc64(words->lengths, sizeof(int) * (sqlite3_uint64)room);
    if (lengths == 0) return SQLITE_NOMEM;
    words->lengths = lengths;
    words->room = room;
  }
  if (words->used + length > words->size) {
    int size = 2 * (words->used + length);
    char *bytes = sqlite3_realloc64(words->bytes, (sqlite3_uint64)size);
    if (bytes == 0) return SQLITE_NOMEM;
    words->bytes = bytes;
    words->size = size;
  }
  memcpy(words->bytes + words->used, word, (size_t)length);
  words->starts[words->count] = words->used;
  words->lengths[words->count++] = length;
  words->used += length;
  return SQLITE_OK;
}

// The phrases counted in each text, each in one column or in all.
typedef struct {
  Words words;
  struct Counted {
    // Numbered from 1; 0 for all.
    int column;
    int isBeginning;
    int first, count;
  } *phrases;
  int count;
  Words text;
  int *result;
} Counts;

static void freeCounts(void *pointer) {
  Counts *counts = pointer;
  freeWords(&counts->words);
  freeWords(&counts->text);
  sqlite3_free(counts->phrases);
  sqlite3_free(counts->result);
  sqlite3_free(counts);
}

// Parses lines of three fields, separated by tabs: column, 1 if the last word is a prefix, phrase.
static int readCounted(Counts *counts, const Splitter *splitter, const char *text, int columns) {
  int lines = 0;
  for (const char *at = text; *at; at++) lines += *at == '\n';
  counts->phrases = sqlite3_malloc64(sizeof(struct Counted) * (sqlite3_uint64)(lines + 1));
  counts->result = sqlite3_malloc64(
      sizeof(int) * (sqlite3_uint64)(lines + 1) * (sqlite3_uint64)columns);
  if (counts->phrases == 0 || counts->result == 0) return SQLITE_NOMEM;
  while (*text) {
    const char *end = strchr(text, '\n');
    if (end == 0) return SQLITE_ERROR;
    struct Counted *phrase = &counts->phrases[counts->count++];
    phrase->column = 0;
    while (*text >= '0' && *text <= '9') phrase->column = 10 * phrase->column + (*text++ - '0');
    if (end - text < 3 || text[0] != '\t' || text[2] != '\t') return SQLITE_ERROR;
    phrase->isBeginning = text[1] == '1';
    text += 3;
    phrase->first = counts->words.count;
    int status = splitter->tokenizer.xTokenize(
        splitter->instance, &counts->words, FTS5_TOKENIZE_QUERY, text, (int)(end - text),
        appendWord);
    if (status != SQLITE_OK) return status;
    phrase->count = counts->words.count - phrase->first;
    text = end + 1;
  }
  return SQLITE_OK;
}

static int stands(const Counts *counts, const struct Counted *phrase, int place) {
  const Words *wanted = &counts->words, *text = &counts->text;
  if (place + phrase->count > text->count) return 0;
  for (int index = 0; index < phrase->count; index++) {
    int length = wanted->lengths[phrase->first + index];
    int isOpen = phrase->isBeginning && index == phrase->count - 1;
    int found = text->lengths[place + index];
    if (isOpen ? found < length : found != length) return 0;
    if (memcmp(
            wanted->bytes + wanted->starts[phrase->first + index],
            text->bytes + text->starts[place + index], (size_t)length)
        != 0)
      return 0;
  }
  return 1;
}

// The phrases to count, cached while the statement runs; null, with the error set, if out of memory.
static Counts *countsOf(
    sqlite3_context *context, const Splitter *splitter, sqlite3_value *argument, int columns) {
  Counts *counts = sqlite3_get_auxdata(context, 0);
  if (counts) return counts;
  counts = sqlite3_malloc(sizeof *counts);
  if (counts == 0) {
    sqlite3_result_error_nomem(context);
    return 0;
  }
  memset(counts, 0, sizeof *counts);
  const char *text = (const char *)sqlite3_value_text(argument);
  int status = readCounted(counts, splitter, text ? text : "", columns);
  if (status != SQLITE_OK) {
    freeCounts(counts);
    sqlite3_result_error_code(context, status);
    return 0;
  }
  sqlite3_set_auxdata(context, 0, counts, freeCounts);
  // SQLite may have freed it already.
  counts = sqlite3_get_auxdata(context, 0);
  if (counts == 0) sqlite3_result_error_nomem(context);
  return counts;
}

static void countWords(sqlite3_context *context, int argumentCount, sqlite3_value **arguments) {
  Splitter *splitter = sqlite3_user_data(context);
  int columns = argumentCount - 1;
  if (columns < 1) return sqlite3_result_error(context, "errand_counts: wrong arguments", -1);
  Counts *counts = countsOf(context, splitter, arguments[0], columns);
  if (counts == 0) return;
  int *next = counts->result;
  for (int column = 1; column <= columns; column++) {
    clearWords(&counts->text);
    const char *text = (const char *)sqlite3_value_text(arguments[column]);
    if (text) {
      int status = splitter->tokenizer.xTokenize(
          splitter->instance, &counts->text, FTS5_TOKENIZE_DOCUMENT, text,
          sqlite3_value_bytes(arguments[column]), appendWord);
      if (status != SQLITE_OK) return sqlite3_result_error_code(context, status);
    }
    *next++ = counts->text.count;
    for (int index = 0; index < counts->count; index++) {
      const struct Counted *phrase = &counts->phrases[index];
      int found = 0;
      if (phrase->count > 0 && (phrase->column == 0 || phrase->column == column)) {
        for (int place = 0; place < counts->text.count; place++) {
          found += stands(counts, phrase, place);
        }
      }
      *next++ = found;
    }
  }
  int size = (int)((char *)next - (char *)counts->result);
  sqlite3_result_blob(context, counts->result, size, SQLITE_TRANSIENT);
}

// Registers a function that tokenizes texts.
static int addFunction(
    sqlite3 *database, fts5_api *api, const char **options, int optionCount, const char *name,
    int argumentCount, void (*function)(sqlite3_context *, int, sqlite3_value **)) {
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
  // This frees the splitter on failure, too.
  return sqlite3_create_function_v2(
      database, name, argumentCount, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, splitter, function,
      0, 0, freeSplitter);
}

int errand_register_search(sqlite3 *database, const char **options, int optionCount) {
  // The documented way to get FTS5's API (https://sqlite.org/fts5.html §7).
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
    status = addFunction(database, api, options, optionCount, "errand_stands_in", 2, standsIn);
  }
  if (status == SQLITE_OK) {
    status = addFunction(database, api, options, optionCount, "errand_completions", 2, completions);
  }
  if (status == SQLITE_OK) {
    status = addFunction(database, api, options, optionCount, "errand_counts", -1, countWords);
  }
  return status;
}
