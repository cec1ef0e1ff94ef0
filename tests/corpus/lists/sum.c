// race: safe — a list is walked and changed under one lock
#include <pthread.h>

struct Node {
  struct Node *next;
  int value;
};

static struct Node third = {NULL, 3}, second = {&third, 2}, first = {&second, 1};
static struct Node *head = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *arg) {
  pthread_mutex_lock(&lock);
  for (struct Node *n = head; n; n = n->next) n->value++;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *sum(void *arg) {
  int total = 0;
  pthread_mutex_lock(&lock);
  for (struct Node *n = head; n; n = n->next) total += n->value;
  pthread_mutex_unlock(&lock);
  *(int *)arg = total;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int total = 0;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, sum, &total);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return total != 6 && total != 9;
}
