// race: unsafe lines 8 — the clean-up handler of a thread counts without the lock
#include <pthread.h>

static int cleaned;

static void clean(void *arg) {
  (void)arg;
  cleaned++;
}

static void *work(void *arg) {
  pthread_cleanup_push(clean, NULL);
  if (*(int *)arg) pthread_exit(NULL);
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int yes = 1, no = 0;
  pthread_create(&a, NULL, work, &yes);
  pthread_create(&b, NULL, work, &no);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return cleaned > 2;
}
