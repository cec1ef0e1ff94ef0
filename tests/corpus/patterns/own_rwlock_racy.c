// race: unsafe lines 13 26; deadlock: safe — the writer waits for other writers but not for the readers
#include <pthread.h>

static int readers, writing, value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *reader(void *arg) {
  pthread_mutex_lock(&lock);
  while (writing) pthread_cond_wait(&changed, &lock);
  readers++;
  pthread_mutex_unlock(&lock);
  *(int *)arg = value;
  pthread_mutex_lock(&lock);
  readers--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *writer(void *arg) {
  pthread_mutex_lock(&lock);
  while (writing) pthread_cond_wait(&changed, &lock);
  writing = 1;
  pthread_mutex_unlock(&lock);
  value = 5;
  pthread_mutex_lock(&lock);
  writing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t r, w;
  int x = 0;
  pthread_create(&r, NULL, reader, &x);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  return x > 5;
}
