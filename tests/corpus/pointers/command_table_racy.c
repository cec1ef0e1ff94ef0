// race: unsafe lines 10 17 24 31 38 45 52 59 66 73 80 88 94 101 108 115; deadlock: safe — a table of sixteen commands, one of them outside of the lock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total, calls;
typedef long Command(long);

static long command_0(long x) {
  pthread_mutex_lock(&lock);
  total += x + 0;
  pthread_mutex_unlock(&lock);
  return x ^ 0;
}

static long command_1(long x) {
  pthread_mutex_lock(&lock);
  total += x + 1;
  pthread_mutex_unlock(&lock);
  return x ^ 1;
}

static long command_2(long x) {
  pthread_mutex_lock(&lock);
  total += x + 2;
  pthread_mutex_unlock(&lock);
  return x ^ 2;
}

static long command_3(long x) {
  pthread_mutex_lock(&lock);
  total += x + 3;
  pthread_mutex_unlock(&lock);
  return x ^ 3;
}

static long command_4(long x) {
  pthread_mutex_lock(&lock);
  total += x + 4;
  pthread_mutex_unlock(&lock);
  return x ^ 4;
}

static long command_5(long x) {
  pthread_mutex_lock(&lock);
  total += x + 5;
  pthread_mutex_unlock(&lock);
  return x ^ 5;
}

static long command_6(long x) {
  pthread_mutex_lock(&lock);
  total += x + 6;
  pthread_mutex_unlock(&lock);
  return x ^ 6;
}

static long command_7(long x) {
  pthread_mutex_lock(&lock);
  total += x + 7;
  pthread_mutex_unlock(&lock);
  return x ^ 7;
}

static long command_8(long x) {
  pthread_mutex_lock(&lock);
  total += x + 8;
  pthread_mutex_unlock(&lock);
  return x ^ 8;
}

static long command_9(long x) {
  pthread_mutex_lock(&lock);
  total += x + 9;
  pthread_mutex_unlock(&lock);
  return x ^ 9;
}

static long command_10(long x) {
  pthread_mutex_lock(&lock);
  total += x + 10;
  pthread_mutex_unlock(&lock);
  return x ^ 10;
}

static long command_11(long x) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  total += x * 12;
  return x ^ 11;
}

static long command_12(long x) {
  pthread_mutex_lock(&lock);
  total += x + 12;
  pthread_mutex_unlock(&lock);
  return x ^ 12;
}

static long command_13(long x) {
  pthread_mutex_lock(&lock);
  total += x + 13;
  pthread_mutex_unlock(&lock);
  return x ^ 13;
}

static long command_14(long x) {
  pthread_mutex_lock(&lock);
  total += x + 14;
  pthread_mutex_unlock(&lock);
  return x ^ 14;
}

static long command_15(long x) {
  pthread_mutex_lock(&lock);
  total += x + 15;
  pthread_mutex_unlock(&lock);
  return x ^ 15;
}

static Command *const commands[] = {
    command_0, command_1, command_2, command_3, command_4, command_5, command_6, command_7,
    command_8, command_9, command_10, command_11, command_12, command_13, command_14, command_15,
};

static void *worker(void *argument) {
  long x = (long)argument;
  for (int i = 0; i < 40; i++) {
    x = commands[x & 15](x);
    pthread_mutex_lock(&lock);
    calls++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, worker, (void *)(i + 11));
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return total == calls;
}
