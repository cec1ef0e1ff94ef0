// deadlock: unsafe — what was kept while the lock was held is put back when it is free
#include <pthread.h>
#include <string.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account account = {PTHREAD_MUTEX_INITIALIZER, 1};

static void *work(void *unused) {
  pthread_mutex_lock(&account.lock);
  account.balance++;
  pthread_mutex_unlock(&account.lock);
  return unused;
}

int main(void) {
  pthread_t t;
  struct account kept;
  pthread_mutex_lock(&account.lock);
  memcpy(&kept, &account, sizeof kept);
  pthread_mutex_unlock(&account.lock);
  memcpy(&account, &kept, sizeof kept);
  if (pthread_create(&t, NULL, work, NULL)) return 1;
  pthread_join(t, NULL);
  return 0;
}
