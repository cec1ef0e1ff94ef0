/* The same routine behind two controls. */
#include "small.h"

pthread_once_t one = PTHREAD_ONCE_INIT, two = PTHREAD_ONCE_INIT;
int value;
static void make(void) {
  value++;
}
static void *first(void *a) {
  pthread_once(&one, make);
  return a;
}
static void *second(void *a) {
  pthread_once(RACY ? &two : &one, make);
  return a;
}
int main(void) {
  pthread_t t = start(first, NULL), u = start(second, NULL);
  finish(t);
  finish(u);
  return 0;
}
