// race: unsafe lines 9 14 — stdout itself is replaced while another thread prints
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static FILE *log_file;

static void *replacer(void *unused) {
  stdout = log_file;
  return unused;
}

static void *printer(void *unused) {
  puts("a");
  return unused;
}

int main(void) {
  pthread_t a, b;
  log_file = fopen("/dev/null", "w");
  if (!log_file) return 1;
  pthread_create(&a, 0, replacer, 0);
  pthread_create(&b, 0, printer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
