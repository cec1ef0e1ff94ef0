// race: unsafe lines 10 17 — the main thread fills the buffer only after the creation
#include <pthread.h>
#include <string.h>

static char name[16];
static int length;

static void *measure(void *arg) {
  (void)arg;
  length = (int)strlen(name);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, measure, NULL);
  strcpy(name, "heddle");
  pthread_join(t, NULL);
  return length > 6;
}
