/* A bank without a lock. WRONG: two tellers change one balance at once, so that the work
   of one can be lost. Sometimes the total is right, sometimes not: it is a data race. */
#include <pthread.h>
#include <stdio.h>

enum { DEPOSITS = 20 };

static int balance;

static void *teller(void *arg) {
  int amount = *(int *)arg;
  for (int i = 0; i < DEPOSITS; i++) {
    int seen = balance;      /* both tellers may read the same value here */
    balance = seen + amount; /* and then one of them overwrites the other */
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  int one = 1, ten = 10;
  pthread_create(&first, NULL, teller, &one);
  pthread_create(&second, NULL, teller, &ten);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("balance %d, expected %d\n", balance, DEPOSITS * (one + ten));
  return 0;
}
