// race: safe — an unknown slot under the lock with the same index
#include <pthread.h>
#include <stdlib.h>
struct s {
  int datum;
  struct s *next;
};
struct cache {
  struct s *slot[10];
  pthread_mutex_t slots_mutex[10];
} c;
static void init(struct s *p, int x) {
  p->datum = x;
  p->next = NULL;
}
static void list_add(struct s *node, struct s *list) {
  struct s *temp = list->next;
  list->next = node;
  node->next = temp;
}
void *t_fun(void *arg) {
  (void)arg;
  int i = rand() % 10;
  pthread_mutex_lock(&c.slots_mutex[i]);
  for (struct s *p = c.slot[i]; p; p = p->next) p->datum++;
  pthread_mutex_unlock(&c.slots_mutex[i]);
  return NULL;
}
int main(void) {
  pthread_t t1;
  for (int i = 0; i < 10; i++) pthread_mutex_init(&c.slots_mutex[i], NULL);
  for (int i = 0; i < 10; i++) {
    c.slot[i] = malloc(sizeof(struct s));
    init(c.slot[i], i);
  }
  pthread_create(&t1, NULL, t_fun, NULL);
  struct s *p = malloc(sizeof(struct s));
  init(p, 5);
  pthread_mutex_lock(&c.slots_mutex[2]);
  list_add(p, c.slot[2]);
  p = c.slot[2]->next;
  p->datum++;
  pthread_mutex_unlock(&c.slots_mutex[2]);
  pthread_join(t1, NULL);
  return 0;
}
