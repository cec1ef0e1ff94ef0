/* bad: two different mtx. */
#include <threads.h>
mtx_t a, b; int x;
static int f(void *p) { mtx_lock(&a); x++; mtx_unlock(&a); return 0; }
static int g(void *p) { mtx_lock(&b); x--; mtx_unlock(&b); return 0; }
int main(void) {
  thrd_t s, t;
  mtx_init(&a, mtx_plain); mtx_init(&b, mtx_plain);
  thrd_create(&s, f, 0); thrd_create(&t, g, 0);
  thrd_join(s, 0); thrd_join(t, 0);
  return x;
}
