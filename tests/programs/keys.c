/* Thread-specific keys: values of each thread, destructors at its end, several rounds of
   them, delete. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t plain, owned, again;
static int freed, rounds, main_destroyed;

static void drop(void *p) {
  freed += *(int *)p;
  free(p);
}

/* Sets itself anew twice: the library calls it once more each time. */
static void repeat(void *p) {
  rounds++;
  if ((long)p > 1) pthread_setspecific(again, (void *)((long)p - 1));
}

static void *run(void *arg) {
  int id = *(int *)arg;
  long start = pthread_getspecific(plain) == NULL && pthread_getspecific(owned) == NULL;
  pthread_setspecific(plain, arg);
  int *p = malloc(sizeof *p);
  *p = id * 10;
  pthread_setspecific(owned, p);
  if (id == 2) pthread_setspecific(again, (void *)3);
  if (id == 3) {
    free(pthread_getspecific(owned));
    pthread_setspecific(owned, NULL);
  }
  return (void *)(start * 100 + *(int *)pthread_getspecific(plain));
}

static void main_drop(void *p) {
  (void)p;
  main_destroyed++;
}

int main(void) {
  int id[4] = {1, 2, 3, 4};
  pthread_key_create(&plain, NULL);
  pthread_key_create(&owned, drop);
  pthread_key_create(&again, repeat);
  for (int i = 0; i < 4; i++) {
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, run, &id[i]);
    pthread_join(t, &r);
    printf("%ld %d %d\n", (long)r, freed, rounds);
  }
  printf("%d\n", pthread_getspecific(plain) == NULL);
  pthread_setspecific(plain, &id[1]);
  printf("%d\n", *(int *)pthread_getspecific(plain));
  printf("%d %d\n", pthread_key_delete(plain), pthread_key_delete(owned));
  printf("%d\n", pthread_setspecific(plain, id) != 0);
  pthread_key_t k;
  pthread_key_create(&k, main_drop);
  printf("%d\n", pthread_getspecific(k) == NULL);
  pthread_setspecific(k, id);
  printf("%d\n", main_destroyed);
  return 0;
}
