// race: safe; deadlock: safe — what a table inside the library says decides whether there are threads
#include <ctype.h>
#include <pthread.h>
#include <stddef.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char text[] = "7";

static void *counter(void *unused) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  if (!isdigit((unsigned char)text[0])) return 1;
  pthread_create(&a, NULL, counter, NULL);
  pthread_create(&b, NULL, counter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
