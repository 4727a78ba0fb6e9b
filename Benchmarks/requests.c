/* The least that requests can cost: libcurl's multi interface, some at once, and a server for them.
 *
 * requests serve           listens on the loopback address, prints its port, answers until killed
 * requests get URL COUNT N  makes COUNT requests, N at a time
 */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char reply[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n"
    "{\"answer\": \"42\"}";

static void *answer(void *argument) {
  int peer = (int)(long)argument;
  char buffer[8192];
  size_t have = 0;
  for (;;) {
    ssize_t got = read(peer, buffer + have, sizeof buffer - 1 - have);
    if (got <= 0) break;
    have += (size_t)got;
    buffer[have] = 0;
    char *end;
    while ((end = strstr(buffer, "\r\n\r\n"))) {
      if (write(peer, reply, sizeof reply - 1) < 0) break;
      have -= (size_t)(end + 4 - buffer);
      memmove(buffer, end + 4, have + 1);
    }
  }
  close(peer);
  return NULL;
}

static int serve(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 64)) return 1;
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    int peer = accept(listener, NULL, NULL);
    if (peer < 0) return 1;
    int one = 1;
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer, (void *)(long)peer)) return 1;
    pthread_detach(thread);
  }
}

static size_t drop(char *bytes, size_t size, size_t count, void *sum) {
  (void)bytes;
  *(size_t *)sum += size * count;
  return size * count;
}

static int get(const char *url, long count, long at_once) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  size_t bytes = 0;
  long begun = 0, done = 0;
  int running;
  for (long i = 0; i < at_once && begun < count; i++, begun++) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &bytes);
    curl_multi_add_handle(multi, easy);
  }
  while (done < count) {
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      if (message->data.result != CURLE_OK) return 1;
      CURL *easy = message->easy_handle;
      curl_multi_remove_handle(multi, easy);
      done++;
      if (begun < count) {
        begun++;
        curl_multi_add_handle(multi, easy);
      }
    }
    if (done < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  return bytes == (size_t)count * 16 ? 0 : 1;
}

int main(int count, char **words) {
  if (count == 2 && !strcmp(words[1], "serve")) return serve();
  if (count == 5 && !strcmp(words[1], "get")) return get(words[2], atol(words[3]), atol(words[4]));
  return 2;
}
