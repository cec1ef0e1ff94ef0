// race: safe; deadlock: safe — a copy of the structure is only looked at, and a fresh lock is copied into place
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static const struct account fresh = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct account account;

static void *work(void *unused) {
  pthread_mutex_lock(&account.lock);
  struct account seen = account;
  account.balance = seen.balance + 1;
  pthread_mutex_unlock(&account.lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  account = fresh;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
