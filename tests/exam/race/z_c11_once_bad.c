/* bad: a plain flag instead. */
#include <threads.h>
static int o;
static int v;
static void init(void) { v = 4; }
static int f(void *p) {
  if (!o) { init(); o = 1; }
  return v; }
int main(void) { thrd_t s, t; thrd_create(&s, f, 0); thrd_create(&t, f, 0); thrd_join(s, 0); thrd_join(t, 0); return 0; }
