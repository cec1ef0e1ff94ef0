/* race: safe assert: safe */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int w, r, x, y;
static void __VERIFIER_atomic_take_write(void) {
  __VERIFIER_assume(w == 0 && r == 0);
  w = 1;
}
static void __VERIFIER_atomic_take_read(void) {
  __VERIFIER_assume(w == 0);
  r = r + 1;
}
static void __VERIFIER_atomic_free_write(void) { w = 0; }
static void __VERIFIER_atomic_free_read(void) { r = r - 1; }
static void *writer(void *a) {
  __VERIFIER_atomic_take_write();
  x = 3;
  __VERIFIER_atomic_free_write();
  return a;
}
static void *reader(void *a) {
  int l;
  __VERIFIER_atomic_take_read();
  l = x;
  assert(l == x);
  __VERIFIER_atomic_free_read();
  return a;
}

int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_create(&c, NULL, writer, NULL);
  pthread_create(&d, NULL, reader, NULL);
  return 0;
}
