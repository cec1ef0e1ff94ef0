// race: safe; deadlock: safe; assert: safe — what main calls before and after the creation brings nobody into the beginning
#include <pthread.h>

#define EACH(DO) \
  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) \
  DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) \
  DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24) DO(25) DO(26) \
  DO(27) DO(28) DO(29) DO(30) DO(31) DO(32) DO(33) DO(34) DO(35) \
  DO(36) DO(37) DO(38) DO(39) DO(40) DO(41) DO(42) DO(43) DO(44)
#define VARIABLE(n) static int v##n;
#define TOUCH(n) touch(&v##n);
EACH(VARIABLE)
static int setting, seen;
static pthread_t id;

static void *work(void *arg) {
  seen = setting;
  return arg;
}

static void touch(int *p) {
  (*p)++;
}

int main(void) {
  EACH(TOUCH)
  setting = 1;
  pthread_create(&id, NULL, work, NULL);
  EACH(TOUCH)
  pthread_join(id, NULL);
  return 0;
}
