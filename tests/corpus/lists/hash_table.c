// race: safe — a hash table with one lock for each bucket
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 2
struct Entry {
  struct Entry *next;
  unsigned key;
  int value;
};

static struct Bucket {
  pthread_mutex_t lock;
  struct Entry *first;
} table[BUCKETS];

static void add(unsigned key, int n) {
  struct Bucket *b = &table[key % BUCKETS];
  pthread_mutex_lock(&b->lock);
  struct Entry *e = b->first;
  while (e && e->key != key) e = e->next;
  if (!e) {
    e = malloc(sizeof *e);
    if (!e) exit(1);
    *e = (struct Entry){b->first, key, 0};
    b->first = e;
  }
  e->value += n;
  pthread_mutex_unlock(&b->lock);
}

static void *user(void *arg) {
  for (unsigned key = 0; key < 4; key++) add(key, *(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&table[i].lock, NULL);
  pthread_create(&a, NULL, user, &one);
  pthread_create(&b, NULL, user, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return table[0].first->value - 3;
}
