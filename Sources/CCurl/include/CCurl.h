// The functions of libcurl that take any number of arguments, with the arguments that we give.
#ifndef ERRAND_CCURL_H
#define ERRAND_CCURL_H

#include <curl/curl.h>

/// Takes bytes that came, or gives bytes to send; gives how many.
typedef size_t (*errand_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

/// Goes to a place in the bytes that are sent; 0 when it is there.
typedef int (*errand_curl_seek)(void *context, curl_off_t offset, int origin);

/// Makes the library ready, once a process.
CURLcode errand_curl_start(void);

/// Sets an option that is a number.
CURLcode errand_curl_set_number(CURL *handle, CURLoption option, long value);

/// Sets an option that is a size.
CURLcode errand_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);

/// Sets an option that is text, which is copied.
CURLcode errand_curl_set_text(CURL *handle, CURLoption option, const char *text);

/// Sets an option that points to something, which must stay.
CURLcode errand_curl_set_pointer(CURL *handle, CURLoption option, void *pointer);

/// Sets what takes or gives bytes.
CURLcode errand_curl_set_bytes(CURL *handle, CURLoption option, errand_curl_bytes function);

/// Sets what goes to a place in the bytes that are sent.
CURLcode errand_curl_set_seek(CURL *handle, errand_curl_seek function);

/// Opens the socket to an address; CURL_SOCKET_BAD where it may not be reached.
typedef curl_socket_t (*errand_curl_open)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);

/// Sets what opens sockets.
CURLcode errand_curl_set_open(CURL *handle, errand_curl_open function, void *context);

/// A number that is known of the last transfer.
CURLcode errand_curl_number(CURL *handle, CURLINFO info, long *value);

/// The result of the transfer that a multi handle has done; -1 when none is done.
int errand_curl_result(CURLM *multi);

#endif
