// race: unsafe lines 10 28 — the reader keeps the front buffer after it released the lock
#include <pthread.h>

static int buffers[2][4];
static int *front = buffers[0], *back = buffers[1];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *draw(void *arg) {
  for (int frame = 0; frame < 3; frame++) {
    for (int i = 0; i < 4; i++) back[i] = frame;
    pthread_mutex_lock(&lock);
    int *t = front;
    front = back;
    back = t;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  int sum = 0;
  pthread_create(&t, NULL, draw, NULL);
  for (int frame = 0; frame < 3; frame++) {
    pthread_mutex_lock(&lock);
    int *shown = front;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 4; i++) sum += shown[i];
  }
  pthread_join(t, NULL);
  return sum < 0;
}
