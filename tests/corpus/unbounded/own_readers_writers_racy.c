// race: unsafe lines 21 31 — any reader that leaves lets a writer in while others still read
#include <pthread.h>
#include <semaphore.h>

extern int __VERIFIER_nondet_int(void);

static int table;
static int readers;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;

static void *read_it(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  if (readers < 3 && ++readers == 1) sem_wait(&room);
  else if (readers >= 3) {
    pthread_mutex_unlock(&mutex);
    return NULL;
  }
  pthread_mutex_unlock(&mutex);
  int copy = table;
  pthread_mutex_lock(&mutex);
  if (readers-- == 3) sem_post(&room);
  pthread_mutex_unlock(&mutex);
  return copy ? &table : NULL;
}

static void *write_it(void *arg) {
  (void)arg;
  sem_wait(&room);
  table++;
  sem_post(&room);
  return NULL;
}

int main(void) {
  sem_init(&room, 0, 1);
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, __VERIFIER_nondet_int() ? read_it : write_it, NULL);
  }
  return 0;
}
