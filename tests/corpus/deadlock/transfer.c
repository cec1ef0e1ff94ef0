// deadlock: safe; race: safe — a transfer locks the account with the lower number first
#include <pthread.h>

struct Account {
  pthread_mutex_t lock;
  int number, balance;
};

static struct Account ann = {PTHREAD_MUTEX_INITIALIZER, 1, 10};
static struct Account bob = {PTHREAD_MUTEX_INITIALIZER, 2, 10};

static void transfer(struct Account *from, struct Account *to, int n) {
  struct Account *low = from->number < to->number ? from : to;
  struct Account *high = low == from ? to : from;
  pthread_mutex_lock(&low->lock);
  pthread_mutex_lock(&high->lock);
  from->balance -= n;
  to->balance += n;
  pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
}

static void *pay(void *arg) {
  transfer(&ann, &bob, 3);
  return arg;
}

static void *pay_back(void *arg) {
  transfer(&bob, &ann, 2);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, pay, NULL);
  pthread_create(&u, NULL, pay_back, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return ann.balance + bob.balance - 20;
}
