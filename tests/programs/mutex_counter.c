/* A counter under a mutex: static and dynamic initialisation, several locks, locks inside
   structs. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 50 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counter;

struct Account {
  pthread_mutex_t lock;
  int balance;
};
static struct Account bank[3];

static void transfer(struct Account *from, struct Account *to, int amount) {
  struct Account *first = from < to ? from : to, *second = from < to ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}

static void *run(void *arg) {
  int id = *(int *)arg;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    counter += id;
    pthread_mutex_unlock(&lock);
    transfer(&bank[(id + i) % 3], &bank[(id + i + 1) % 3], i % 7);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  int ids[THREADS];
  for (int i = 0; i < 3; i++) {
    pthread_mutex_init(&bank[i].lock, NULL);
    bank[i].balance = 1000;
  }
  for (int i = 0; i < THREADS; i++) {
    ids[i] = i;
    pthread_create(&t[i], NULL, run, &ids[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += bank[i].balance;
    printf("%d ", bank[i].balance);
    printf("%d ", pthread_mutex_destroy(&bank[i].lock));
  }
  printf("%d %ld\n", sum, counter);
  return 0;
}
