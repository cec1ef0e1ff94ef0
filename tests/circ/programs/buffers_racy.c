/* race: unsafe */
/* Two buffers: one is filled while the other is read, but they change places while it is read. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int front, back = 1;
static int busy;
static int buffer[2];

static void *fill(void *arg) {
  for (;;) {
    pthread_mutex_lock(&lock);
    int mine = back;
    pthread_mutex_unlock(&lock);
    buffer[mine] = 1;
    pthread_mutex_lock(&lock);
    if (1) {
      back = front;
      front = mine;
    }
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *show(void *arg) {
  for (;;) {
    pthread_mutex_lock(&lock);
    busy = 1;
    int mine = front;
    pthread_mutex_unlock(&lock);
    int seen = buffer[mine];
    pthread_mutex_lock(&lock);
    busy = 0;
    pthread_mutex_unlock(&lock);
    (void)seen;
  }
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, fill, 0);
  pthread_create(&u, 0, show, 0);
  return 0;
}
