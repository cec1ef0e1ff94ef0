// race: unsafe lines 8 19 — nothing tells when a detached thread has ended
#include <pthread.h>
#include <unistd.h>

static int done;

static void *background(void *arg) {
  done = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attr, background, NULL);
  usleep(1000);
  return done > 1;
}
