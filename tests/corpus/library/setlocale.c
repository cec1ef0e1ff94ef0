// race: safe — the locale is set before the threads start and only used by them
#include <ctype.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

static void *format(void *arg) {
  char text[16];
  snprintf(text, sizeof text, "%.1f", 0.5);
  *(int *)arg = isdigit((unsigned char)text[0]) != 0;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  setlocale(LC_ALL, "C");
  pthread_create(&a, NULL, format, &x);
  pthread_create(&b, NULL, format, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x - y;
}
