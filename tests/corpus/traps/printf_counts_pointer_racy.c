// race: unsafe lines 16 — the same through a pointer to printf, with a format out of a structure
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int printed, data;
static int (*print)(const char *, ...) = printf;
static struct { int level; char format[8]; } message = {1, "ab%n\n"};

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  int seen = printed;
  pthread_mutex_unlock(&lock);
  if (!seen)
    return argument;
  data++;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  print(message.format, &printed);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return data == 3;
}
