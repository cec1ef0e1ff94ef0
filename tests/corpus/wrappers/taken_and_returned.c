// race: safe; deadlock: safe — a function locks an object and returns it locked
#include <pthread.h>

struct Account {
  pthread_mutex_t lock;
  int balance;
};

static struct Account account = {PTHREAD_MUTEX_INITIALIZER, 10};

static struct Account *open_account(void) {
  pthread_mutex_lock(&account.lock);
  return &account;
}

static void close_account(struct Account *a) { pthread_mutex_unlock(&a->lock); }

static void *client(void *arg) {
  struct Account *mine = open_account();
  mine->balance += *(int *)arg;
  close_account(mine);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int in = 5, out = -3;
  pthread_create(&a, NULL, client, &in);
  pthread_create(&b, NULL, client, &out);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return account.balance - 12;
}
