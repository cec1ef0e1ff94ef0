/* call_once, with a flag for each thread. */
#include "small.h"

once_flag shared = ONCE_FLAG_INIT, other = ONCE_FLAG_INIT;
int value;
static void make(void) {
  value++;
}
static int work(void *a) {
  call_once(RACY && a ? &other : &shared, make);
  return 0;
}
int main(void) {
  thrd_t t, u;
  thrd_create(&t, work, NULL);
  thrd_create(&u, work, &value);
  thrd_join(t, NULL);
  thrd_join(u, NULL);
  return 0;
}
