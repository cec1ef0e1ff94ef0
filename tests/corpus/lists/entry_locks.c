// race: safe — nodes of an embedded list, each with its own lock
#include <pthread.h>
#include <stdlib.h>
#include <stddef.h>
struct list_head {
  struct list_head *next, *prev;
};
#define list_entry(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
struct s {
  int datum;
  pthread_mutex_t mutex;
  struct list_head list;
} A;
static void INIT_LIST_HEAD(struct list_head *l) {
  l->next = l;
  l->prev = l;
}
static void list_add(struct list_head *n, struct list_head *h) {
  n->next = h->next;
  n->prev = h;
  h->next->prev = n;
  h->next = n;
}
void *f(void *arg) {
  (void)arg;
  struct s *pos;
  struct list_head *x;
  for (x = A.list.next; x != &A.list; x = x->next) {
    pos = list_entry(x, struct s, list);
    pthread_mutex_lock(&pos->mutex);
    pos->datum++;
    pthread_mutex_unlock(&pos->mutex);
  }
  return 0;
}
int main(void) {
  struct s *p;
  INIT_LIST_HEAD(&A.list);
  for (int i = 0; i < 4; i++) {
    p = malloc(sizeof(struct s));
    p->datum = i;
    pthread_mutex_init(&p->mutex, NULL);
    list_add(&p->list, &A.list);
  }
  pthread_t t1, t2;
  pthread_create(&t1, NULL, f, NULL);
  pthread_create(&t2, NULL, f, NULL);
  return 0;
}
