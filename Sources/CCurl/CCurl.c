#include "CCurl.h"

#include <netdb.h>
#include <resolv.h>
#include <string.h>

CURLcode errand_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

CURLcode errand_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode errand_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode errand_curl_set_text(CURL *handle, CURLoption option, const char *text) {
  return curl_easy_setopt(handle, option, text);
}

CURLcode errand_curl_set_pointer(CURL *handle, CURLoption option, void *pointer) {
  return curl_easy_setopt(handle, option, pointer);
}

CURLcode errand_curl_set_bytes(CURL *handle, CURLoption option, errand_curl_bytes function) {
  return curl_easy_setopt(handle, option, function);
}

CURLcode errand_curl_set_seek(CURL *handle, errand_curl_seek function) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

CURLcode errand_curl_set_open(CURL *handle, errand_curl_open function, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
  return code ? code : curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}

CURLcode errand_curl_number(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

int errand_curl_result(CURLM *multi) {
  int left = 0;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  return message && message->msg == CURLMSG_DONE ? (int)message->data.result : -1;
}

int errand_curl_has_address(CURL *handle) {
  curl_off_t time = 0;
  return curl_easy_getinfo(handle, CURLINFO_NAMELOOKUP_TIME_T, &time) == CURLE_OK && time > 0;
}

/// Asks for one record; 1 where it is there, 0 where it is not, -1 where nobody says so.
static int ask(struct __res_state *state, const char *name, int type) {
  unsigned char answer[4096];
  if (res_nquery(state, name, ns_c_in, type, answer, sizeof answer) >= 0) return 1;
  return state->res_h_errno == HOST_NOT_FOUND || state->res_h_errno == NO_DATA ? 0 : -1;
}

int errand_name_is_known(const char *name) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state)) return -1;
  // The long search was made already; this one tells why it failed.
  state.retrans = 1;
  state.retry = 1;
  int known = ask(&state, name, ns_t_a);
  // A server that only forwards says "failure" both for one domain that is broken and where it reaches
  // nobody: all that reach somebody know the servers of the root.
  if (known < 0 && ask(&state, ".", ns_t_ns) >= 0) known = 0;
  res_nclose(&state);
  return known;
}
