// race: safe; deadlock: safe — a variable is called like the prefix of an instruction, which does not mean it
#include <pthread.h>

int lock;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
#ifdef __x86_64__
  __asm__ volatile("lock; addq $0, -8(%%rsp)" ::: "memory", "cc");
#endif
  pthread_mutex_lock(&guard);
  lock++;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
