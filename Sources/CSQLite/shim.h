#include <sqlite3.h>

/// Binds text whose bytes SQLite copies; `SQLITE_TRANSIENT` is a macro that Swift cannot see.
static inline int errand_bind_text(
    sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds a blob whose bytes SQLite copies.
static inline int errand_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Returns text, whose bytes SQLite copies, as the result of a function.
static inline void errand_result_text(sqlite3_context *context, const char *bytes, int count) {
  sqlite3_result_text(context, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Disables SQLite's memory statistics, which take a lock at every allocation and are not used; call
/// before any other use of SQLite.
static inline int errand_omit_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Refuses writes to FTS5's shadow tables and to the schema by ordinary statements.
static inline int errand_set_defensive(sqlite3 *database, int *actual) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, actual);
}

/// Switches off whatever a file from elsewhere could run: its views, triggers and unsafe functions.
static inline void errand_distrust(sqlite3 *database) {
  int actual = 0;
  errand_set_defensive(database, &actual);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &actual);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &actual);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &actual);
}
