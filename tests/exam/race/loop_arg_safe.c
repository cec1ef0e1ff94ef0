/* safe: each thread gets the address of its own number. */
#include <pthread.h>
static void *w(void *p) { int id = *(int *)p; return (void *)(long)id; }
int main(void) {
  pthread_t t[3]; int ids[3];
  int i;
  for (i = 0; i < 3; i++) {
    ids[i] = i; pthread_create(&t[i], 0, w, &ids[i]);
  }
  for (int k = 0; k < 3; k++) pthread_join(t[k], 0);
  return ids[0];
}
