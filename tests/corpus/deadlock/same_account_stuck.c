// deadlock: unsafe — a transfer from an account to itself locks it twice
#include <pthread.h>

struct Account {
  pthread_mutex_t lock;
  int balance;
};

static struct Account ann = {PTHREAD_MUTEX_INITIALIZER, 10};
static struct Account bob = {PTHREAD_MUTEX_INITIALIZER, 10};

static void transfer(struct Account *from, struct Account *to, int n) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= n;
  to->balance += n;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void *pay(void *arg) {
  transfer(&ann, arg, 3);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, pay, &bob);
  pthread_create(&u, NULL, pay, &ann);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
