// race: unsafe lines 7 15 — the address of a thread-local variable is handed to another thread
#include <pthread.h>

static _Thread_local int mine;

static void *meddle(void *arg) {
  *(int *)arg = 7;
  mine = 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, meddle, &mine);
  mine = 2;
  pthread_join(t, NULL);
  return mine < 2;
}
