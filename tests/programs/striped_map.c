/* A hash map with one lock per bucket: threads add to shared counts, growing chains on
   the heap. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 8 };

struct Entry {
  char *key;
  int count;
  struct Entry *next;
};
static struct {
  pthread_mutex_t lock;
  struct Entry *first;
} map[BUCKETS];

static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s) h = h * 33 ^ (unsigned char)*s++;
  return h;
}

static void add(const char *key, int by) {
  unsigned b = hash(key) % BUCKETS;
  pthread_mutex_lock(&map[b].lock);
  struct Entry *e = map[b].first;
  while (e && strcmp(e->key, key)) e = e->next;
  if (!e) {
    e = malloc(sizeof *e);
    e->key = strdup(key);
    e->count = 0;
    e->next = map[b].first;
    map[b].first = e;
  }
  e->count += by;
  pthread_mutex_unlock(&map[b].lock);
}

static int get(const char *key) {
  unsigned b = hash(key) % BUCKETS;
  int r = -1;
  pthread_mutex_lock(&map[b].lock);
  for (struct Entry *e = map[b].first; e; e = e->next)
    if (!strcmp(e->key, key)) r = e->count;
  pthread_mutex_unlock(&map[b].lock);
  return r;
}

static const char *const text[3] = {"over under over under over",
                                    "warp over weft under warp",
                                    "reed heddle reed over heddle"};

static void *run(void *arg) {
  char copy[64], *save;
  strcpy(copy, arg);
  for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
    add(w, (int)strlen(w));
  return NULL;
}

static int by_key(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&map[i].lock, NULL);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, run, (void *)text[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  const char *keys[16];
  size_t n = 0;
  for (int i = 0; i < BUCKETS; i++)
    for (struct Entry *e = map[i].first; e; e = e->next) keys[n++] = e->key;
  qsort(keys, n, sizeof *keys, by_key);
  for (size_t i = 0; i < n; i++) printf("%s=%d ", keys[i], get(keys[i]));
  printf("%d\n", get("absent"));
  for (int i = 0; i < BUCKETS; i++)
    while (map[i].first) {
      struct Entry *e = map[i].first;
      map[i].first = e->next;
      free(e->key);
      free(e);
    }
  return 0;
}
