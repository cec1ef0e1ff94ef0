// race: safe — stdio locks the stream for every call
#include <pthread.h>
#include <stdio.h>

static void *greet(void *arg) {
  const char *name = arg;
  printf("hello %s\n", name);
  fputs("bye\n", stdout);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  char ann[] = "Ann", bob[] = "Bob";
  pthread_create(&a, NULL, greet, ann);
  pthread_create(&b, NULL, greet, bob);
  puts("main");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
