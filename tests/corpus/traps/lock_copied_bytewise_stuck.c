// deadlock: unsafe — a held lock is copied byte by byte, and the copy is held
#include <pthread.h>
#include <stddef.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account first = {PTHREAD_MUTEX_INITIALIZER, 1}, second;

static void copy(void *to, const void *from, size_t bytes) {
  char *t = to;
  const char *f = from;
  while (bytes--) *t++ = *f++;
}

int main(void) {
  pthread_mutex_lock(&first.lock);
  copy(&second, &first, sizeof second);
  pthread_mutex_unlock(&first.lock);
  pthread_mutex_lock(&second.lock);
  second.balance++;
  pthread_mutex_unlock(&second.lock);
  return 0;
}
