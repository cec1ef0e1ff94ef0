/* safe: both halves of the pointer make the object that main has given away before. */
#include <pthread.h>
#include <stdlib.h>
#include <stdint.h>
uint32_t lo, hi;
static void *w(void *a) { int *p = (int *)(((uintptr_t)hi << 32) | lo); *p = 1; return 0; }
int main(void) {
  pthread_t t; int *o = malloc(sizeof *o);
  if (!o) return 1;
  *o = 0; lo = (uint32_t)(uintptr_t)o; hi = (uint32_t)((uintptr_t)o >> 32);
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  return *o;
}
