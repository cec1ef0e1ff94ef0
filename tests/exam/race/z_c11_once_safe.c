/* safe: call_once. */
#include <threads.h>
static once_flag o = ONCE_FLAG_INIT;
static int v;
static void init(void) { v = 4; }
static int f(void *p) {
  call_once(&o, init);
  return v; }
int main(void) { thrd_t s, t; thrd_create(&s, f, 0); thrd_create(&t, f, 0); thrd_join(s, 0); thrd_join(t, 0); return 0; }
