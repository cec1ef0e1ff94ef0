// race: unsafe lines 14 23 — both threads lock, but each a different mutex
#include <pthread.h>

static int red, blue;
static pthread_mutex_t red_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t blue_lock = PTHREAD_MUTEX_INITIALIZER;

static void *paint(void *arg) {
  (void)arg;
  pthread_mutex_lock(&red_lock);
  red += 2;
  pthread_mutex_unlock(&red_lock);
  pthread_mutex_lock(&blue_lock);
  blue += 3;
  pthread_mutex_unlock(&blue_lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, paint, NULL);
  pthread_mutex_lock(&red_lock);
  blue--;
  red--;
  pthread_mutex_unlock(&red_lock);
  pthread_join(t, NULL);
  return red + blue - 3;
}
