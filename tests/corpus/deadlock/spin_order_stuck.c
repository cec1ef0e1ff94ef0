// deadlock: unsafe — two spin locks in opposite orders
#include <pthread.h>

static pthread_spinlock_t a, b;

static void *one(void *arg) {
  pthread_spin_lock(&a);
  pthread_spin_lock(&b);
  pthread_spin_unlock(&b);
  pthread_spin_unlock(&a);
  return arg;
}

static void *two(void *arg) {
  pthread_spin_lock(&b);
  pthread_spin_lock(&a);
  pthread_spin_unlock(&a);
  pthread_spin_unlock(&b);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
