// race: unsafe lines 13 16 30 31 — each message has a lock that its reader destroys
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct message { pthread_mutex_t lock; int value; };
static struct message *slot;
static sem_t full;

static void *reader(void *arg) {
  while (sem_wait(&full)) {}
  struct message *m = slot;
  pthread_mutex_lock(&m->lock);
  m->value++;
  pthread_mutex_unlock(&m->lock);
  pthread_mutex_destroy(&m->lock);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&full, 0, 0);
  struct message *m = malloc(sizeof *m);
  if (!m) return 1;
  if (pthread_mutex_init(&m->lock, NULL)) abort();
  m->value = 1;
  slot = m;
  if (pthread_create(&t, NULL, reader, NULL)) abort();
  sem_post(&full);
  pthread_mutex_lock(&m->lock);
  pthread_mutex_unlock(&m->lock);
  pthread_join(t, NULL);
  return 0;
}
