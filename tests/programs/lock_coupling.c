/* A sorted list with one lock per node, taken hand over hand by inserting and removing
   threads. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct Node {
  int key;
  pthread_mutex_t lock;
  struct Node *next;
};

static struct Node *make(int key, struct Node *next) {
  struct Node *n = malloc(sizeof *n);
  n->key = key;
  n->next = next;
  pthread_mutex_init(&n->lock, NULL);
  return n;
}

/* Returns with the node before KEY's place and the one at it locked. */
static struct Node *find(struct Node *head, int key, struct Node **ret_cur) {
  pthread_mutex_lock(&head->lock);
  struct Node *prev = head, *cur = prev->next;
  pthread_mutex_lock(&cur->lock);
  while (cur->key < key) {
    pthread_mutex_unlock(&prev->lock);
    prev = cur;
    cur = cur->next;
    pthread_mutex_lock(&cur->lock);
  }
  *ret_cur = cur;
  return prev;
}

static int insert(struct Node *head, int key) {
  struct Node *cur, *prev = find(head, key, &cur);
  int fresh = cur->key != key;
  if (fresh) prev->next = make(key, cur);
  pthread_mutex_unlock(&cur->lock);
  pthread_mutex_unlock(&prev->lock);
  return fresh;
}

static int removes(struct Node *head, int key) {
  struct Node *cur, *prev = find(head, key, &cur);
  int there = cur->key == key;
  if (there) prev->next = cur->next;
  pthread_mutex_unlock(&cur->lock);
  pthread_mutex_unlock(&prev->lock);
  if (there) {
    pthread_mutex_destroy(&cur->lock);
    free(cur);
  }
  return there;
}

static struct Node *list;

static void *run(void *arg) {
  int id = *(int *)arg, changes = 0;
  for (int i = 0; i < 12; i++) changes += insert(list, i * 4 + id);
  for (int i = 0; i < 12; i += 3) changes += removes(list, i * 4 + id);
  *(int *)arg = changes;
  return NULL;
}

int main(void) {
  pthread_t t[3];
  int id[3] = {0, 1, 2};
  list = make(INT_MIN, make(INT_MAX, NULL));
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, run, &id[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  printf("%d %d %d\n", id[0], id[1], id[2]);
  for (struct Node *n = list->next, *next; n; n = next) {
    next = n->next;
    if (next) printf("%d ", n->key);
    free(n);
  }
  printf("\n");
  free(list);
  return 0;
}
