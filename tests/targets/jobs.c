// Jobs belong to who took them, which lock sets do not see; the sum has no lock.
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
struct job { struct job *next; int n; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct job *head;
static long total;
static void (*sink)(long *, int);
static void add(long *t, int n) { *t += n; }
static void *work(void *u) {
  for (;;) {
    pthread_mutex_lock(&m);
    struct job *j = head;
    if (j) head = j->next;
    pthread_mutex_unlock(&m);
    if (!j) return u;
    j->n *= 2;
    sink(&total, j->n);
    free(j);
  }
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  sink = add;
  for (int i = 0; i < n; i++) { struct job *j = malloc(sizeof *j); j->n = i; j->next = head; head = j; }
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  printf("%ld\n", total);
  return 0;
}
