// race: safe; deadlock: safe — a recursive function locks a recursive mutex at every level
#include <pthread.h>

static int visits;
static pthread_mutex_t lock;

static void walk(int depth) {
  pthread_mutex_lock(&lock);
  visits++;
  if (depth > 0) {
    walk(depth - 1);
    visits++;
  }
  pthread_mutex_unlock(&lock);
}

static void *walker(void *arg) {
  walk(*(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int two = 2, three = 3;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attr);
  pthread_create(&a, NULL, walker, &two);
  pthread_create(&b, NULL, walker, &three);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return visits - 12;
}
