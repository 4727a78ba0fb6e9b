#include "CPostgreSQL.h"

#include <dlfcn.h>

static void *library(void) {
  static void *known;
  if (!known) known = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
  return known;
}

int errand_pq_is_available(void) { return library() != NULL; }

// Called only if the library is available, and by one thread.
#define LATE(type, name, parameters, arguments)                   \
  __attribute__((visibility("hidden"))) type name parameters {    \
    static type(*known) parameters;                               \
    if (!known) known = (type(*) parameters)dlsym(library(), #name); \
    return known arguments;                                       \
  }

#define LATE_VOID(name, parameters, arguments)                    \
  __attribute__((visibility("hidden"))) void name parameters {    \
    static void (*known) parameters;                              \
    if (!known) known = (void (*) parameters)dlsym(library(), #name); \
    known arguments;                                              \
  }

LATE(
    PGconn *, PQconnectStartParams,
    (const char *const *names, const char *const *values, int expand), (names, values, expand))
LATE(PostgresPollingStatusType, PQconnectPoll, (PGconn * connection), (connection))
LATE(ConnStatusType, PQstatus, (const PGconn *connection), (connection))
LATE(char *, PQerrorMessage, (const PGconn *connection), (connection))
LATE(int, PQserverVersion, (const PGconn *connection), (connection))
LATE(PQconninfoOption *, PQconninfo, (PGconn * connection), (connection))
LATE_VOID(PQconninfoFree, (PQconninfoOption * options), (options))
LATE(int, PQsocket, (const PGconn *connection), (connection))
LATE_VOID(PQfinish, (PGconn * connection), (connection))
LATE(int, PQsetnonblocking, (PGconn * connection, int is), (connection, is))
LATE(
    int, PQsendQueryParams,
    (PGconn * connection, const char *command, int count, const Oid *types,
     const char *const *values, const int *lengths, const int *formats, int format),
    (connection, command, count, types, values, lengths, formats, format))
LATE(int, PQflush, (PGconn * connection), (connection))
LATE(int, PQconsumeInput, (PGconn * connection), (connection))
LATE(int, PQisBusy, (PGconn * connection), (connection))
LATE(PGresult *, PQgetResult, (PGconn * connection), (connection))
LATE(PGnotify *, PQnotifies, (PGconn * connection), (connection))
LATE_VOID(PQfreemem, (void *memory), (memory))
LATE(ExecStatusType, PQresultStatus, (const PGresult *result), (result))
LATE(char *, PQresultErrorField, (const PGresult *result, int field), (result, field))
LATE(char *, PQresultErrorMessage, (const PGresult *result), (result))
LATE(int, PQntuples, (const PGresult *result), (result))
LATE(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column))
LATE(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column))
LATE(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column))
LATE_VOID(PQclear, (PGresult * result), (result))
LATE(
    PQnoticeProcessor, PQsetNoticeProcessor,
    (PGconn * connection, PQnoticeProcessor processor, void *context),
    (connection, processor, context))
