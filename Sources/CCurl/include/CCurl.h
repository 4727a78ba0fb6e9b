// Typed wrappers of libcurl's variadic functions.
#ifndef ERRAND_CCURL_H
#define ERRAND_CCURL_H

#include <curl/curl.h>

/// Consumes received bytes, or provides bytes to send; returns the number of bytes.
typedef size_t (*errand_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

/// Seeks in the bytes to send; returns 0 on success.
typedef int (*errand_curl_seek)(void *context, curl_off_t offset, int origin);

/// Initializes the library, once per process.
CURLcode errand_curl_start(void);

/// Sets an integer option.
CURLcode errand_curl_set_number(CURL *handle, CURLoption option, long value);

/// Sets a size option.
CURLcode errand_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);

/// Sets a text option; the text is copied.
CURLcode errand_curl_set_text(CURL *handle, CURLoption option, const char *text);

/// Sets a pointer option; the pointee must outlive the handle.
CURLcode errand_curl_set_pointer(CURL *handle, CURLoption option, void *pointer);

/// Sets the read or write callback.
CURLcode errand_curl_set_bytes(CURL *handle, CURLoption option, errand_curl_bytes function);

/// Sets the seek callback.
CURLcode errand_curl_set_seek(CURL *handle, errand_curl_seek function);

/// Opens a socket to an address; returns CURL_SOCKET_BAD if access is denied.
typedef curl_socket_t (*errand_curl_open)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);

/// Sets the socket callback.
CURLcode errand_curl_set_open(CURL *handle, errand_curl_open function, void *context);

/// Gets a number about the last transfer.
CURLcode errand_curl_number(CURL *handle, CURLINFO info, long *value);

/// The result of a completed transfer of a multi handle; -1 if none has completed.
int errand_curl_result(CURLM *multi);

#endif
