// race: unsafe lines 11 — a structure by value comes before the table that is changed
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static struct hsearch_data table;

static void *work(void *unused) {
  ENTRY entry = {.key = "a", .data = NULL}, *found;
  hsearch_r(entry, ENTER, &found, &table);
  return unused;
}

int main(void) {
  pthread_t a, b;
  hcreate_r(10, &table);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
