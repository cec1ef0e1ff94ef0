/* Structures that are copied and filled under a lock: each of their members is followed. */
#include <pthread.h>
#include <string.h>
struct S {
  int a;
  long b;
  char c;
} g, h = {1, 2, 3};
int x = 5;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) {
  pthread_mutex_lock(&m);
  g.a++;
  g.b += 2;
  h = g;
  memset(&x, 0xff, sizeof x);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  g.c = (char)(h.a + x);
  memset(&g, 0, sizeof g);
  memset(&h.b, 1, 8);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return g.a + h.a + (int)h.b + x + h.c;
}
