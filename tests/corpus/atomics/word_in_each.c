// race: safe — every object of a list has a spin lock in it, made of an atomic flag's word
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct account {
  atomic_uchar word;
  int value;
  struct account *next;
};

static struct account *all;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;

static void add(void) {
  struct account *a = malloc(sizeof *a);
  if (!a) exit(0);
  a->word = 0;
  a->value = 0;
  pthread_mutex_lock(&list);
  a->next = all;
  all = a;
  pthread_mutex_unlock(&list);
}

static void *work(void *arg) {
  add();
  pthread_mutex_lock(&list);
  struct account *a = all;
  pthread_mutex_unlock(&list);
  unsigned char found = 0;
  while (!atomic_compare_exchange_weak_explicit(&a->word, &found, 1, memory_order_acquire,
                                                memory_order_relaxed))
    found = 0;
  a->value++;
  atomic_store_explicit(&a->word, 0, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t id[3];
  for (int i = 0; i < 3; i++) pthread_create(&id[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(id[i], NULL);
  return 0;
}
