// race: unsafe lines 15 16 22 24 — the field that points to the lock is redirected while the lock is held
#include <pthread.h>

struct Box {
  pthread_mutex_t *lock;
  int value;
};

static pthread_mutex_t old_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t new_lock = PTHREAD_MUTEX_INITIALIZER;
static struct Box box = {&old_lock, 0};

static void *redirect(void *arg) {
  pthread_mutex_lock(&old_lock);
  box.lock = &new_lock;
  box.value++;
  pthread_mutex_unlock(&old_lock);
  return arg;
}

static void *use(void *arg) {
  pthread_mutex_t *m = box.lock;
  pthread_mutex_lock(m);
  box.value++;
  pthread_mutex_unlock(m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, redirect, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return box.value > 2;
}
