// Loads libcurl on the first request: loading it and its thirty dependencies takes most of the start
// time of `errand-net`, and most starts make no request.
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>

#define CURL_DISABLE_TYPECHECK
// Hidden, so that no other library links to these instead of libcurl's own functions.
#pragma GCC visibility push(hidden)
#include <curl/curl.h>

/// Replaces every function if libcurl is not installed; `curl_global_init`, the first, then fails.
static void *missing(void) { return (void *)(long)CURLE_FAILED_INIT; }

static void *symbol(const char *name) {
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  void *found = library ? dlsym(library, name) : NULL;
  return found ? found : (void *)missing;
}

/// Looks up a function by name on first use; all threads get the same result.
#define FUNCTION(type, name, parameters)                              \
  static type(*function) parameters;                                  \
  type(*known) parameters = __atomic_load_n(&function, __ATOMIC_RELAXED); \
  if (!known) {                                                       \
    known = (type(*) parameters)symbol(#name);                        \
    __atomic_store_n(&function, known, __ATOMIC_RELAXED);             \
  }

#define LATE(type, name, parameters, arguments) \
  type name parameters {                        \
    FUNCTION(type, name, parameters)            \
    return known arguments;                     \
  }

LATE(CURLcode, curl_global_init, (long flags), (flags))
LATE(void, curl_free, (void *pointer), (pointer))

LATE(CURL *, curl_easy_init, (void), ())
LATE(void, curl_easy_cleanup, (CURL * handle), (handle))
LATE(void, curl_easy_reset, (CURL * handle), (handle))
LATE(CURLcode, curl_easy_pause, (CURL * handle, int mask), (handle, mask))

LATE(CURLM *, curl_multi_init, (void), ())
LATE(CURLMcode, curl_multi_cleanup, (CURLM * multi), (multi))
LATE(CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL *handle), (multi, handle))
LATE(CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL *handle), (multi, handle))
LATE(CURLMcode, curl_multi_perform, (CURLM * multi, int *running), (multi, running))
LATE(CURLMsg *, curl_multi_info_read, (CURLM * multi, int *left), (multi, left))
LATE(
    CURLMcode, curl_multi_poll,
    (CURLM * multi, struct curl_waitfd extra[], unsigned int count, int milliseconds, int *ready),
    (multi, extra, count, milliseconds, ready))

LATE(struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *text), (list, text))
LATE(void, curl_slist_free_all, (struct curl_slist * list), (list))

LATE(curl_mime *, curl_mime_init, (CURL * handle), (handle))
LATE(void, curl_mime_free, (curl_mime * form), (form))
LATE(curl_mimepart *, curl_mime_addpart, (curl_mime * form), (form))
LATE(CURLcode, curl_mime_name, (curl_mimepart * part, const char *name), (part, name))
LATE(CURLcode, curl_mime_filename, (curl_mimepart * part, const char *name), (part, name))
LATE(CURLcode, curl_mime_type, (curl_mimepart * part, const char *type), (part, type))
LATE(CURLcode, curl_mime_filedata, (curl_mimepart * part, const char *path), (part, path))
LATE(
    CURLcode, curl_mime_data, (curl_mimepart * part, const char *bytes, size_t count),
    (part, bytes, count))

LATE(CURLU *, curl_url, (void), ())
LATE(void, curl_url_cleanup, (CURLU * url), (url))
LATE(
    CURLUcode, curl_url_get, (CURLU * url, CURLUPart part, char **text, unsigned int flags),
    (url, part, text, flags))
LATE(
    CURLUcode, curl_url_set, (CURLU * url, CURLUPart part, const char *text, unsigned int flags),
    (url, part, text, flags))

// Each option and each result fits in one word.
#define LATE_WORD(type, name, option)              \
  type name(CURL *handle, option which, ...) {     \
    FUNCTION(type, name, (CURL *, option, ...))    \
    va_list rest;                                  \
    va_start(rest, which);                         \
    void *word = va_arg(rest, void *);             \
    va_end(rest);                                  \
    return known(handle, which, word);             \
  }

LATE_WORD(CURLcode, curl_easy_setopt, CURLoption)
LATE_WORD(CURLcode, curl_easy_getinfo, CURLINFO)
