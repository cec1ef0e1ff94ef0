// race: safe; deadlock: safe — the nodes of a list have the ids; each is joined and freed
#include <pthread.h>
#include <stdlib.h>

struct node {
  pthread_t id;
  struct node *next;
};
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}

static void finish(struct node *head) {
  while (head) {
    struct node *node = head;
    head = node->next;
    pthread_join(node->id, NULL);
    free(node);
  }
}

int main(void) {
  for (int round = 0; round < 2; round++) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
      struct node *node = malloc(sizeof *node);
      if (!node) exit(1);
      pthread_create(&node->id, NULL, work, NULL);
      node->next = head;
      head = node;
    }
    finish(head);
  }
  return 0;
}
