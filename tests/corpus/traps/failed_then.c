// race: safe; assert: unsafe — an assertion that fails under the lock that guards what it read
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *reader(void *unused) {
  pthread_mutex_lock(&lock);
  int r = x;
  assert(r != 0);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *writer(void *unused) {
  pthread_mutex_lock(&lock);
  x = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
