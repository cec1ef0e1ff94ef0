// assert: unsafe; race: safe — only with three threads inside at once the limit is passed
#include <pthread.h>

extern void reach_error(void);

static int inside;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *visit(void *arg) {
  pthread_mutex_lock(&lock);
  int now = ++inside;
  pthread_mutex_unlock(&lock);
  if (now > 2) reach_error();
  pthread_mutex_lock(&lock);
  inside--;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, visit, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
