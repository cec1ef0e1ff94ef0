/* A lock in assembly; the racy one releases it too early. */
#include "small.h"

int taken, count;
static void take(void) {
  int one = 1;
  while (one) __asm__ volatile("xchgl %0, %1" : "+r"(one), "+m"(taken) : : "memory");
}
static void give(void) {
  __asm__ volatile("movl $0, %0" : "=m"(taken) : : "memory");
}
static void *work(void *a) {
  for (int i = 0; i < 10; i++) {
    take();
    if (!RACY) count++;
    give();
  }
  if (RACY) count++;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  work(NULL);
  finish(t);
  return 0;
}
