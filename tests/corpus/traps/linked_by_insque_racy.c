// race: unsafe lines 13 — insque stores the element in its neighbour
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static struct Element {
  struct Element *next, *prev;
  int count;
} head, one;

static void *work(void *unused) {
  head.next->count++;
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
