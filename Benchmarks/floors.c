/* The least that Errand's work can cost: the bare statements on Errand's own tables.
 *
 * floors recent STORE          the ten newest links
 * floors search STORE WORD     the ten best matches of a word
 * floors save STORE COUNT      new links, each durable: row, text index, tags
 * floors import STORE FILE     every link of a file, in one transaction
 * floors update STORE COUNT    changes of links, logged, in one transaction
 * floors queue STORE COUNT     dequeues and completes each job, in one durable transaction each,
 *                              with COUNT processes
 * floors serve STORE           the requests on its standard input, on an open store
 *
 * FILE has eight texts per link, each terminated by NUL: url, title, summary, createdAt in
 * microseconds, tags as JSON, tags separated by line feeds, status, source.
 *
 * Requests are lines with fields separated by tabs. Each is answered by one line with the
 * nanoseconds of each repetition:
 *
 * query TIMES SQL VALUE...     all rows of a statement with its values
 * save TIMES                   new links, each durable
 */
#define _GNU_SOURCE
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sqlite3 *database;

static void check(int status) {
  if (status == SQLITE_OK || status == SQLITE_DONE || status == SQLITE_ROW) return;
  fprintf(stderr, "floors: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
  return statement;
}

static void run(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static void print_all(sqlite3_stmt *statement) {
  int status;
  while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
    const unsigned char *title = sqlite3_column_text(statement, 1);
    printf("%lld %s %s\n", sqlite3_column_int64(statement, 0), title ? (const char *)title : "",
           sqlite3_column_text(statement, 2));
  }
  check(status);
}

enum { FIELDS = 8 };

static sqlite3_stmt *row, *text, *list;

static void prepare_inserts(void) {
  row = prepare(
      "INSERT INTO Link (uid, createdAt, updatedAt, _identity, url, title, summary, tags, status,"
      " source) VALUES (?1, ?2, ?2, ?3, ?3, ?4, ?5, ?6, ?7, nullif(?8, ''))");
  text = prepare("INSERT INTO Link_search (rowid, p1, p2, p3, p4) VALUES (?1, ?2, ?3, ?4, ?5)");
  list = prepare("INSERT OR IGNORE INTO Link_list_tags (value, createdAt, id) VALUES (?1, ?2, ?3)");
}

static void bind(sqlite3_stmt *statement, int position, const char *value) {
  check(sqlite3_bind_text(statement, position, value, -1, SQLITE_STATIC));
}

static void step(sqlite3_stmt *statement) {
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

static void insert(const char *fields[FIELDS]) {
  unsigned char uid[16];
  sqlite3_randomness(sizeof uid, uid);
  sqlite3_int64 created = atoll(fields[3]);
  check(sqlite3_bind_blob(row, 1, uid, sizeof uid, SQLITE_STATIC));
  check(sqlite3_bind_int64(row, 2, created));
  bind(row, 3, fields[0]);
  bind(row, 4, fields[1]);
  bind(row, 5, fields[2]);
  bind(row, 6, fields[4]);
  bind(row, 7, fields[6]);
  bind(row, 8, fields[7]);
  step(row);
  if (sqlite3_changes(database) == 0) return;
  sqlite3_int64 id = sqlite3_last_insert_rowid(database);
  check(sqlite3_bind_int64(text, 1, id));
  bind(text, 2, fields[0]);
  bind(text, 3, fields[1]);
  bind(text, 4, fields[2]);
  bind(text, 5, fields[5]);
  step(text);
  for (const char *tag = fields[5]; *tag;) {
    const char *end = strchr(tag, '\n');
    int length = end ? (int)(end - tag) : (int)strlen(tag);
    check(sqlite3_bind_text(list, 1, tag, length, SQLITE_STATIC));
    check(sqlite3_bind_int64(list, 2, created));
    check(sqlite3_bind_int64(list, 3, id));
    step(list);
    tag += end ? length + 1 : length;
  }
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(1);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, file) != *size) exit(1);
  bytes[*size] = 0;
  fclose(file);
  return bytes;
}

/* A link that was not there, durable. */
static void save(void) {
  char url[64];
  const char *fields[FIELDS] = {url, "A page to measure", "", "1790000000000000",
                                "[\"bench\",\"page\"]", "bench\npage", "queued", ""};
  sqlite3_uint64 chance;
  sqlite3_randomness(sizeof chance, &chance);
  snprintf(url, sizeof url, "https://bench.example/%llu", chance);
  run("BEGIN IMMEDIATE");
  insert(fields);
  run("COMMIT");
}

/* A change of each of the first links, with a line of the log that could take it back. */
static void update(int count) {
  sqlite3_stmt *change = prepare(
      "UPDATE Link SET status = CASE status WHEN 'ready' THEN 'queued' ELSE 'ready' END"
      " WHERE id = ?1");
  sqlite3_stmt *log = prepare(
      "INSERT INTO errand_changes (batch, time, kind, entity, id, last, cause, before, after)"
      " SELECT 1, 1790000000000000, 1, 'Link', id, id, 'floor', json_object('status', status),"
      " json_object('status', 'ready') FROM Link WHERE id = ?1");
  run("BEGIN IMMEDIATE");
  for (int id = 1; id <= count; id++) {
    check(sqlite3_bind_int64(log, 1, id));
    step(log);
    check(sqlite3_bind_int64(change, 1, id));
    step(change);
  }
  run("COMMIT");
}

/* One job after the other, until none waits. */
static void work(const char *path) {
  check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL));
  check(sqlite3_busy_timeout(database, 60000));
  run("PRAGMA synchronous = FULL");
  sqlite3_stmt *job = prepare(
      "UPDATE errand_jobs SET state = 'done', started = 1790000000000000, ended = 1790000000000000"
      " WHERE number = (SELECT number FROM errand_jobs WHERE state = 'waiting' AND due <= ?1"
      " ORDER BY due, number LIMIT 1)");
  check(sqlite3_bind_int64(job, 1, INT64_MAX));
  do {
    run("BEGIN IMMEDIATE");
    step(job);
    run("COMMIT");
  } while (sqlite3_changes(database) == 1);
  sqlite3_finalize(job);
  sqlite3_close(database);
}

static void work_together(const char *path, int count) {
  for (int i = 0; i < count; i++) {
    pid_t child = fork();
    if (child < 0) exit(1);
    if (child == 0) {
      work(path);
      _exit(0);
    }
  }
  int status;
  while (wait(&status) > 0)
    if (status != 0) exit(1);
}

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* All rows of a statement, each of their values looked at. */
static void read_all(sqlite3_stmt *statement) {
  int status;
  while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(statement); i++) sqlite3_column_text(statement, i);
  }
  check(status);
  check(sqlite3_reset(statement));
}

static void serve(void) {
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  prepare_inserts();
  while ((length = getline(&line, &size, stdin)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    char *rest = line;
    const char *work = strsep(&rest, "\t"), *times = strsep(&rest, "\t");
    const char *sql = strsep(&rest, "\t");
    sqlite3_stmt *statement = sql ? prepare(sql) : NULL;
    const char *value;
    for (int i = 1; (value = strsep(&rest, "\t")); i++) bind(statement, i, value);
    for (int count = times ? atoi(times) : 0; count > 0; count--) {
      long long begin = now();
      if (statement) {
        read_all(statement);
      } else if (strcmp(work, "save") == 0) {
        save();
      }
      printf("%lld%c", now() - begin, count > 1 ? ' ' : '\n');
    }
    fflush(stdout);
    sqlite3_finalize(statement);
  }
  free(line);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *work = argv[1];
  if (strcmp(work, "queue") == 0 && argc > 3) {
    work_together(argv[2], atoi(argv[3]));
    return 0;
  }
  int reads = strcmp(work, "recent") == 0 || strcmp(work, "search") == 0;
  check(sqlite3_open_v2(argv[2], &database, reads ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE,
                        NULL));
  if (!reads) run("PRAGMA synchronous = FULL");

  if (strcmp(work, "recent") == 0) {
    print_all(prepare("SELECT id, title, url FROM Link WHERE status NOT IN ('failed', 'archived')"
                      " ORDER BY createdAt DESC, id DESC LIMIT 10"));
  } else if (strcmp(work, "search") == 0 && argc > 3) {
    sqlite3_stmt *statement = prepare(
        "SELECT l.id, l.title, l.url FROM Link_search s JOIN Link l ON l.id = s.rowid"
        " WHERE Link_search MATCH ?1 AND l.status NOT IN ('failed', 'archived')"
        " ORDER BY rank LIMIT 10");
    bind(statement, 1, argv[3]);
    print_all(statement);
  } else if (strcmp(work, "save") == 0 && argc > 3) {
    prepare_inserts();
    for (int count = atoi(argv[3]); count > 0; count--) save();
  } else if (strcmp(work, "import") == 0 && argc > 3) {
    size_t size;
    char *bytes = read_file(argv[3], &size);
    prepare_inserts();
    run("BEGIN IMMEDIATE");
    for (char *position = bytes; position < bytes + size;) {
      const char *fields[FIELDS];
      for (int i = 0; i < FIELDS; i++) {
        fields[i] = position;
        position += strlen(position) + 1;
      }
      insert(fields);
    }
    run("COMMIT");
  } else if (strcmp(work, "update") == 0 && argc > 3) {
    update(atoi(argv[3]));
  } else if (strcmp(work, "serve") == 0) {
    serve();
  } else {
    return 2;
  }
  sqlite3_close(database);
  return 0;
}
