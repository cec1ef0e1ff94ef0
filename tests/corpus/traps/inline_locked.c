// race: safe; deadlock: safe — inline functions take and give the lock
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

inline void take(void) { pthread_mutex_lock(&m); }
inline void give(void) { pthread_mutex_unlock(&m); }
extern void take(void);
extern void give(void);

static void *work(void *arg) {
  take();
  counter++;
  give();
  return arg;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, work, NULL)) return 1;
  work(NULL);
  pthread_join(t, NULL);
  return counter - 2;
}
