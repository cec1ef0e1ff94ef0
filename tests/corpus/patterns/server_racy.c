// race: unsafe lines 13 14 26 — the dispatcher looks at a request after it handed it to its thread
#include <pthread.h>
#include <stdlib.h>

struct Request {
  int id, size;
};

static int last_size;

static void *serve(void *arg) {
  struct Request *r = arg;
  r->size *= 2;
  free(r);
  return NULL;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    pthread_t t;
    struct Request *r = malloc(sizeof *r);
    if (!r) return 1;
    r->id = i;
    r->size = 10 * i;
    if (pthread_create(&t, NULL, serve, r) != 0) return 1;
    last_size = r->size;
    pthread_detach(t);
  }
  return last_size < 0;
}
