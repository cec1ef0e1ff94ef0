// assert: unsafe; race: safe — what was freed may be allocated again: a new buffer, the old address
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *buffer;
static int renewed;

static void *renew(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  free(buffer);
  buffer = malloc(sizeof *buffer);
  renewed = 1;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  buffer = malloc(sizeof *buffer);
  if (!buffer) return 0;
  int *seen = buffer;
  pthread_create(&t, NULL, renew, NULL);
  pthread_mutex_lock(&m);
  if (buffer == seen) assert(!renewed);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  free(buffer);
  return 0;
}
