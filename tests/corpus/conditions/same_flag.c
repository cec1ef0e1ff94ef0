// race: safe; deadlock: safe — lock, access and unlock under the same unchanged condition
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int wanted = *(int *)arg;
  int local = 0;
  if (wanted) pthread_mutex_lock(&lock);
  local += 3;
  if (wanted) value += local;
  if (wanted) pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b, c;
  int yes = 1, no = 0;
  pthread_create(&a, NULL, work, &yes);
  pthread_create(&b, NULL, work, &no);
  pthread_create(&c, NULL, work, &yes);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return value - 6;
}
