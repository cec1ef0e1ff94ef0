// race: unsafe lines 10 15 — C lets setlocale race with whatever depends on the locale
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

static char line[32];

static void *printer(void *unused) {
  snprintf(line, sizeof line, "%.1f", 1.5);
  return unused;
}

static void *setter(void *unused) {
  setlocale(LC_NUMERIC, "C");
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, printer, 0);
  pthread_create(&b, 0, setter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return line[0] == 'x';
}
