// race: safe — several heap objects from one place, each guarded by its own lock
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

static void add(struct Account *a, int n) {
  pthread_mutex_lock(&a->lock);
  a->balance += n;
  pthread_mutex_unlock(&a->lock);
}

static void *move(void *arg) {
  add(accounts[0], -*(int *)arg);
  add(accounts[1], *(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  accounts[0] = open_account(10);
  accounts[1] = open_account(0);
  pthread_create(&a, NULL, move, &one);
  pthread_create(&b, NULL, move, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return accounts[0]->balance - 7 + accounts[1]->balance - 3;
}
