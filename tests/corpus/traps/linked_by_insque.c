// race: safe; deadlock: safe — insque stores the element in its neighbour, and a lock guards it
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static struct Element {
  struct Element *next, *prev;
  int count;
} head, one;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  head.next->count++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  insque(&head, NULL);
  insque(&one, &head);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
