// kiss 0: race holds
// kiss 1: race holds
// The same race, which its author has called benign: nobody asks about it.
#include <pthread.h>
#include <stdlib.h>

struct extension {
  pthread_mutex_t lock;
  int open_count, removing;
};

static void *open_modem(void *argument) {
  struct extension *e = argument;
  pthread_mutex_lock(&e->lock);
  e->open_count++;
  pthread_mutex_unlock(&e->lock);
  return NULL;
}

static int query_remove(struct extension *e) {
  if (e->open_count != 0) return -1; // heddle: accept
  pthread_mutex_lock(&e->lock);
  e->removing = 1;
  pthread_mutex_unlock(&e->lock);
  return 0;
}

int main(void) {
  pthread_t t;
  struct extension *e = calloc(1, sizeof *e);
  if (!e) return 1;
  pthread_mutex_init(&e->lock, NULL);
  pthread_create(&t, NULL, open_modem, e);
  return query_remove(e);
}
