#include "CMicroHTTPD.h"

#include <dlfcn.h>
#include <string.h>

/// Replaces every function if libmicrohttpd is not installed; starting the daemon then fails.
static void *missing(void) { return NULL; }

static void *symbol(const char *name) {
  void *library = dlopen("libmicrohttpd.so.12", RTLD_LAZY | RTLD_LOCAL);
  void *found = library ? dlsym(library, name) : NULL;
  return found ? found : (void *)missing;
}

// Only one thread serves, so there is no need for atomic look-ups.
#define FUNCTION(type, name, parameters)      \
  static type(*known) parameters;             \
  if (!known) known = (type(*) parameters)symbol(#name);

#define LATE(type, name, parameters, arguments)                 \
  __attribute__((visibility("hidden"))) type name parameters {  \
    FUNCTION(type, name, parameters)                            \
    return known arguments;                                     \
  }

LATE(void, MHD_stop_daemon, (struct MHD_Daemon * daemon), (daemon))
LATE(MHD_socket, MHD_quiesce_daemon, (struct MHD_Daemon * daemon), (daemon))
LATE(enum MHD_Result, MHD_run, (struct MHD_Daemon * daemon), (daemon))
LATE(
    enum MHD_Result, MHD_get_timeout, (struct MHD_Daemon * daemon, MHD_UNSIGNED_LONG_LONG *timeout),
    (daemon, timeout))
LATE(void, MHD_suspend_connection, (struct MHD_Connection * connection), (connection))
LATE(void, MHD_resume_connection, (struct MHD_Connection * connection), (connection))
LATE(
    int, MHD_get_connection_values,
    (struct MHD_Connection * connection, enum MHD_ValueKind kind, MHD_KeyValueIterator iterator,
     void *context),
    (connection, kind, iterator, context))
LATE(
    enum MHD_Result, MHD_queue_response,
    (struct MHD_Connection * connection, unsigned int status, struct MHD_Response *response),
    (connection, status, response))
LATE(
    struct MHD_Response *, MHD_create_response_from_buffer,
    (size_t size, void *buffer, enum MHD_ResponseMemoryMode mode), (size, buffer, mode))
LATE(
    struct MHD_Response *, MHD_create_response_from_callback,
    (uint64_t size, size_t block, MHD_ContentReaderCallback reader, void *context,
     MHD_ContentReaderFreeCallback release),
    (size, block, reader, context, release))
LATE(void, MHD_destroy_response, (struct MHD_Response * response), (response))
LATE(
    enum MHD_Result, MHD_add_response_header,
    (struct MHD_Response * response, const char *name, const char *value), (response, name, value))

/// Leaves percent-encoding alone: targets are parsed from their original text.
static size_t plain(void *context, struct MHD_Connection *connection, char *text) {
  return strlen(text);
}

struct MHD_Daemon *errand_daemon_start(
    int socket, const struct errand_daemon_callbacks *callbacks, unsigned int connections,
    size_t memory, unsigned int timeout) {
  FUNCTION(
      struct MHD_Daemon *, MHD_start_daemon,
      (unsigned int, uint16_t, MHD_AcceptPolicyCallback, void *, MHD_AccessHandlerCallback, void *,
       ...))
  return known(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, callbacks->access,
      callbacks->context, MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT,
      connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_TIMEOUT,
      timeout, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, plain, NULL,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context, MHD_OPTION_END);
}

int errand_daemon_descriptor(struct MHD_Daemon *daemon) {
  FUNCTION(
      const union MHD_DaemonInfo *, MHD_get_daemon_info,
      (struct MHD_Daemon *, enum MHD_DaemonInfoType, ...))
  const union MHD_DaemonInfo *info = known(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static const union MHD_ConnectionInfo *
about(struct MHD_Connection *connection, enum MHD_ConnectionInfoType type) {
  FUNCTION(
      const union MHD_ConnectionInfo *, MHD_get_connection_info,
      (struct MHD_Connection *, enum MHD_ConnectionInfoType, ...))
  return known(connection, type);
}

int errand_connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = about(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

void *errand_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = about(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

struct last_part {
  /// The end of a part of the head that is a string.
  const char *end;
  _Bool is_plain;
};

/// Checks that only the end of a line is before the next part of the head.
///
/// - Parameter lines: The number of line ends, of one or two bytes.
static void follow(struct last_part *last, const char *next, int lines) {
  if (next < last->end || next - last->end > 0x10000) {
    last->is_plain = 0;
    return;
  }
  int terminators = 0;
  for (const char *at = last->end; at < next; at++) {
    if (*at == 0 || *at == '\r' || *at == '\n') terminators++;
    else if (*at != ' ' && *at != '\t') last->is_plain = 0;
  }
  if (terminators > 2 * lines) last->is_plain = 0;
}

static enum MHD_Result follow_header(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct last_part *last = context;
  follow(last, name, 1);
  last->end = value ? value + strlen(value) : name + strlen(name);
  return MHD_YES;
}

_Bool errand_connection_head_is_plain(
    struct MHD_Connection *connection, const char *method, size_t target, const char *version) {
  const union MHD_ConnectionInfo *info =
      about(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  // A NUL has replaced each of the two blanks.
  if (!info || version != method + strlen(method) + 1 + target + 1) return 0;
  struct last_part last = {version + strlen(version), 1};
  size_t size = info->header_size;
  MHD_get_connection_values(connection, MHD_HEADER_KIND, follow_header, &last);
  follow(&last, method + size, 2);
  return last.is_plain;
}
