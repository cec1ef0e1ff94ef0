// race: safe — tasks with functions, taken from a list under a mutex and freed by who runs them
#include <pthread.h>
#include <stdlib.h>
struct task {
  void (*fn)(struct task *);
  int arg, res;
  struct task *next;
};
static struct task *head, *tail;
static int stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void square(struct task *t) {
  t->res = t->arg * t->arg;
}
static void twice(struct task *t) {
  t->res = t->arg * 2;
}
static void push(struct task *t) {
  t->next = NULL;
  pthread_mutex_lock(&m);
  if (tail)
    tail->next = t;
  else
    head = t;
  tail = t;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
}
static void *worker(void *p) {
  (void)p;
  for (;;) {
    pthread_mutex_lock(&m);
    while (!head && !stop) pthread_cond_wait(&c, &m);
    if (!head) {
      pthread_mutex_unlock(&m);
      return 0;
    }
    struct task *t = head;
    head = t->next;
    if (!head) tail = NULL;
    pthread_mutex_unlock(&m);
    t->fn(t);
    free(t);
  }
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 3; i++) {
    struct task *x = malloc(sizeof *x);
    x->fn = i & 1 ? square : twice;
    x->arg = i;
    push(x);
  }
  pthread_mutex_lock(&m);
  stop = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
