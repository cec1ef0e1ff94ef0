// race: safe — a thread for each request; a slot is handed over by two semaphores
#include <pthread.h>
#include <semaphore.h>

extern int __VERIFIER_nondet_int(void);

static int request;
static int served;
static sem_t given, taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *arg) {
  (void)arg;
  sem_wait(&given);
  int mine = request;
  sem_post(&taken);
  pthread_mutex_lock(&lock);
  served += mine;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  sem_init(&given, 0, 0);
  sem_init(&taken, 0, 0);
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    request = __VERIFIER_nondet_int();
    pthread_create(&id, NULL, serve, NULL);
    pthread_detach(id);
    sem_post(&given);
    sem_wait(&taken);
  }
  return 0;
}
