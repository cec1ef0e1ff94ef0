/* Empty inline assembly as a compiler barrier, and as an optimisation fence on a value.
   */
#include <pthread.h>
#include <stdio.h>

#define barrier() __asm__ volatile("" ::: "memory")
#define keep(x)   __asm__ volatile("" : "+r"(x))

static int a, b;

static void *run(void *arg) {
  int *r = arg;
  a = 5;
  barrier();
  b = 6;
  int v = 7;
  keep(v);
  *r = v + a + b;
  return NULL;
}

int main(void) {
  pthread_t t;
  int r = 0;
  pthread_create(&t, NULL, run, &r);
  pthread_join(t, NULL);
  barrier();
  printf("%d\n", r);
  return 0;
}
