// race: safe — another thread writes through the address, but the owner waits for it
#include <pthread.h>

static _Thread_local int mine;

static void *meddle(void *arg) {
  *(int *)arg = 7;
  mine = 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  mine = 2;
  pthread_create(&t, NULL, meddle, &mine);
  pthread_join(t, NULL);
  return mine - 7;
}
