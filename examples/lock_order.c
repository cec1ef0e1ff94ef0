/* Two clerks and two ledgers. WRONG: one clerk locks red then blue, the other blue then
   red. When each has got its first ledger, both wait for the other for ever: a deadlock.
   Most runs end well, which is what makes it hard to find by testing. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t red = PTHREAD_MUTEX_INITIALIZER, blue = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void *alice(void *arg) {
  (void)arg;
  pthread_mutex_lock(&red);
  pthread_mutex_lock(&blue);
  entries++;
  pthread_mutex_unlock(&blue);
  pthread_mutex_unlock(&red);
  return NULL;
}

static void *bob(void *arg) {
  (void)arg;
  pthread_mutex_lock(&blue);
  pthread_mutex_lock(&red);
  entries++;
  pthread_mutex_unlock(&red);
  pthread_mutex_unlock(&blue);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, alice, NULL);
  pthread_create(&b, NULL, bob, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("entries %d, expected 2\n", entries);
  return 0;
}
