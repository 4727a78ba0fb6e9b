// Typed wrappers of libmicrohttpd's variadic functions; the library is loaded on first use.
#ifndef ERRAND_CMICROHTTPD_H
#define ERRAND_CMICROHTTPD_H

#include <microhttpd.h>

/// The callbacks of a daemon; each receives `context`.
struct errand_daemon_callbacks {
  MHD_AccessHandlerCallback access;
  /// Receives the request target as it was sent; its result is the initial context of the request.
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *context;
};

/// Starts a daemon on a listening socket, driven by `MHD_run`; NULL on failure.
struct MHD_Daemon *errand_daemon_start(
    int socket, const struct errand_daemon_callbacks *callbacks, unsigned int connections,
    size_t memory, unsigned int timeout);

/// The epoll descriptor of a daemon; -1 on failure.
int errand_daemon_descriptor(struct MHD_Daemon *daemon);

/// The socket of a connection; -1 on failure.
int errand_connection_socket(struct MHD_Connection *connection);

/// The per-connection pointer set by the connection callback; NULL if there is none.
void *errand_connection_context(struct MHD_Connection *connection);

/// Whether the headers of a request are plain lines, without a NUL in a value and without folding.
///
/// libmicrohttpd ends a value at a NUL. Its values are the lines of the head in its buffer, each with
/// a NUL in place of CR and LF, so what a value was cut off from is behind it.
_Bool errand_connection_head_is_plain(struct MHD_Connection *connection);

#endif
