// race: unsafe lines 14 21 — a long jump leaves the critical section's counter behind the unlock
#include <pthread.h>
#include <setjmp.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void risky(jmp_buf out, int fail) {
  pthread_mutex_lock(&lock);
  if (fail) {
    pthread_mutex_unlock(&lock);
    longjmp(out, 1);
  }
  value++;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  jmp_buf out;
  if (setjmp(out) == 0) risky(out, *(int *)arg);
  else value = 0;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int yes = 1, no = 0;
  pthread_create(&a, NULL, work, &yes);
  pthread_create(&b, NULL, work, &no);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 1;
}
