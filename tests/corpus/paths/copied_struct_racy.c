// race: unsafe lines 14 — the structure is copied with its lock, and the copies point to common data
#include <pthread.h>

struct Account {
  pthread_mutex_t lock;
  int *balance;
};

static int balance;

static void *add(void *arg) {
  struct Account *account = arg;
  pthread_mutex_lock(&account->lock);
  *account->balance += 1;
  pthread_mutex_unlock(&account->lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  struct Account first = {PTHREAD_MUTEX_INITIALIZER, &balance};
  struct Account second = first;
  pthread_create(&a, NULL, add, &first);
  pthread_create(&b, NULL, add, &second);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return balance > 2;
}
