// race: unsafe lines 15 — wide printing stores by way of %n as well
#include <pthread.h>
#include <wchar.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int printed, data;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  int seen = printed;
  pthread_mutex_unlock(&lock);
  if (!seen)
    return argument;
  /* only reached because of it */
  data++;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  wprintf(L"ab%n\n", &printed);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return data == 3;
}
