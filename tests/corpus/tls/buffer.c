// race: safe — a thread-local buffer is returned to its own thread only
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char *number_text(int n) {
  static __thread char text[12];
  snprintf(text, sizeof text, "%d", n);
  return text;
}

static void *work(void *arg) {
  int n = *(int *)arg;
  *(int *)arg = (int)strlen(number_text(n));
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x = 7, y = 100;
  pthread_create(&a, NULL, work, &x);
  pthread_create(&b, NULL, work, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y - 4;
}
