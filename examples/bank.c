/* A bank with locks. RIGHT: each account has its own lock, and a transfer takes two locks
   in the order of the accounts, so no money is lost and nobody waits in a circle. */
#include <pthread.h>
#include <stdio.h>

enum { ACCOUNTS = 3, TELLERS = 2, ROUNDS = 10 };

struct Account {
  pthread_mutex_t lock;
  int balance;
};

static struct Account bank[ACCOUNTS];

static void transfer(int from, int to, int amount) {
  struct Account *low = &bank[from < to ? from : to];
  struct Account *high = &bank[from < to ? to : from];
  pthread_mutex_lock(&low->lock);
  pthread_mutex_lock(&high->lock);
  bank[from].balance -= amount;
  bank[to].balance += amount;
  pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
}

static void *teller(void *arg) {
  int shift = *(int *)arg;
  for (int i = 0; i < ROUNDS; i++)
    transfer((i + shift) % ACCOUNTS, (i + shift + 1) % ACCOUNTS, 5);
  return NULL;
}

int main(void) {
  pthread_t tellers[TELLERS];
  int shift[TELLERS];
  for (int i = 0; i < ACCOUNTS; i++) {
    pthread_mutex_init(&bank[i].lock, NULL);
    bank[i].balance = 100;
  }
  for (int i = 0; i < TELLERS; i++) {
    shift[i] = i;
    pthread_create(&tellers[i], NULL, teller, &shift[i]);
  }
  for (int i = 0; i < TELLERS; i++)
    pthread_join(tellers[i], NULL);
  int total = 0;
  for (int i = 0; i < ACCOUNTS; i++)
    total += bank[i].balance;
  printf("total %d, expected %d\n", total, 100 * ACCOUNTS);
  return 0;
}
