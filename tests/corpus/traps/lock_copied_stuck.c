// deadlock: unsafe — the copy of a held lock is held, and nobody releases it
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account first = {PTHREAD_MUTEX_INITIALIZER, 1}, second;

int main(void) {
  pthread_mutex_lock(&first.lock);
  second = first;
  pthread_mutex_unlock(&first.lock);
  pthread_mutex_lock(&second.lock);
  second.balance++;
  pthread_mutex_unlock(&second.lock);
  return 0;
}
