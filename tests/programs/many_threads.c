/* Many short threads, created in waves by different functions through one pointer;
   handles reused. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, alive, kinds[3];

static void enter(int kind) {
  pthread_mutex_lock(&lock);
  total++;
  alive++;
  kinds[kind]++;
  pthread_mutex_unlock(&lock);
}
static void leave(void) {
  pthread_mutex_lock(&lock);
  alive--;
  pthread_mutex_unlock(&lock);
}
static void *even(void *arg) {
  return enter(0), leave(), arg;
}
static void *odd(void *arg) {
  return enter(1), leave(), arg;
}
static void *parent(void *arg) {
  pthread_t t;
  void *r = NULL;
  enter(2);
  pthread_create(&t, NULL, (long)arg % 2 ? odd : even, (void *)((long)arg + 1000));
  pthread_join(t, &r);
  leave();
  return r;
}

int main(void) {
  void *(*const start[])(void *) = {even, odd, parent};
  long sum = 0;
  for (int wave = 0; wave < 4; wave++) {
    pthread_t t[10];
    for (long i = 0; i < 10; i++)
      pthread_create(&t[i], NULL, start[(i + wave) % 3], (void *)i);
    for (int i = 0; i < 10; i++) {
      void *r;
      pthread_join(t[i], &r);
      sum += (long)r;
    }
  }
  printf("%d %d %ld %d %d %d\n", total, alive, sum, kinds[0], kinds[1], kinds[2]);
  return 0;
}
