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

/// Whether the head of a request is plain lines, without a NUL or folding.
///
/// libmicrohttpd gives out the parts of the head as strings, which end at a NUL. They are in one
/// buffer, in the order of the head, with NULs in place of blanks and line ends, so what a part was
/// cut off from is behind it.
///
/// - Parameters:
///   - method, version: As libmicrohttpd gave them out.
///   - target: The length of the target in bytes, as it was given out.
_Bool errand_connection_head_is_plain(
    struct MHD_Connection *connection, const char *method, size_t target, const char *version);

#endif
