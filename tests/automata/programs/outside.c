/* A store to an address of unknown origin may be to anything that matters: its value is needed in
 * every slice. */
#include <pthread.h>

static int data, flag;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    if (!flag) data++;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  int value = argc * 3;
  (void)argv;
  if (argc > 5) *(int *)(long)argc = value;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
