// race: unsafe lines 22 23 — the lock of one heap object is held while another one is changed
#include <pthread.h>
#include <stdlib.h>

struct Account {
  pthread_mutex_t lock;
  int balance;
};

static struct Account *accounts[2];

static struct Account *open_account(int balance) {
  struct Account *a = malloc(sizeof *a);
  if (!a) exit(1);
  pthread_mutex_init(&a->lock, NULL);
  a->balance = balance;
  return a;
}

static void transfer(struct Account *from, struct Account *to, int n) {
  pthread_mutex_lock(&from->lock);
  from->balance -= n;
  to->balance += n;
  pthread_mutex_unlock(&from->lock);
}

static void *forth(void *arg) {
  transfer(accounts[0], accounts[1], 2);
  return arg;
}

static void *back(void *arg) {
  transfer(accounts[1], accounts[0], 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  accounts[0] = open_account(10);
  accounts[1] = open_account(10);
  pthread_create(&a, NULL, forth, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return accounts[0]->balance > 20;
}
