/* bad: there is room for one too many. */
#include <pthread.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
enum { N = 4 };
static int ring[N];
static unsigned head, tail;
static void *producer(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    if (head - tail <= N) {
      ring[head % N] = 7;
      head++;
      assert(head - tail <= N);
    }
    pthread_mutex_unlock(&m);
  }
}
static void *consumer(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    if (head != tail) {
      int v = ring[tail % N];
      tail++;
      assert(v == 7);
    }
    pthread_mutex_unlock(&m);
  }
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
}
