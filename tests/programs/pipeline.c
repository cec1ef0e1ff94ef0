/* A pipeline of stages joined by one-place mailboxes (semaphores): order is kept all the
   way. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { STAGES = 4, ITEMS = 12, END = -1 };

struct Box {
  sem_t empty, full;
  int value;
};
static struct Box box[STAGES + 1];

static void put(struct Box *b, int v) {
  sem_wait(&b->empty);
  b->value = v;
  sem_post(&b->full);
}
static int take(struct Box *b) {
  sem_wait(&b->full);
  int v = b->value;
  sem_post(&b->empty);
  return v;
}

static int add(int v) {
  return v + 3;
}
static int square(int v) {
  return v * v;
}
static int odd(int v) {
  return v % 2 ? v : v / 2;
}
static int wrap(int v) {
  return v % 1000;
}
static int (*const stage[STAGES])(int) = {add, square, odd, wrap};

static void *run(void *arg) {
  long me = (long)arg;
  int v;
  while ((v = take(&box[me])) != END) put(&box[me + 1], stage[me](v));
  put(&box[me + 1], END);
  return NULL;
}

static void *feed(void *arg) {
  (void)arg;
  for (int i = 0; i < ITEMS; i++) put(&box[0], i * 5);
  put(&box[0], END);
  return NULL;
}

int main(void) {
  pthread_t t[STAGES + 1];
  for (int i = 0; i <= STAGES; i++) {
    sem_init(&box[i].empty, 0, 1);
    sem_init(&box[i].full, 0, 0);
  }
  for (long i = 0; i < STAGES; i++) pthread_create(&t[i], NULL, run, (void *)i);
  pthread_create(&t[STAGES], NULL, feed, NULL);
  int v, n = 0;
  while ((v = take(&box[STAGES])) != END) printf("%d:%d ", n++, v);
  printf("\n");
  for (int i = 0; i <= STAGES; i++) pthread_join(t[i], NULL);
  return n;
}
