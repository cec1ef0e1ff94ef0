// race: safe — everything that the main thread writes, it writes before the creation
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
  strcpy(name, "heddle");
  pthread_create(&t, NULL, measure, NULL);
  pthread_join(t, NULL);
  name[0] = 'H';
  return length - 6;
}
