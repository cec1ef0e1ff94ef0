/* Named semaphores opened twice under one name, shared by two threads, unlinked. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static char name[40];

static void *posts(void *arg) {
  (void)arg;
  sem_t *s = sem_open(name, 0);
  if (s == SEM_FAILED) return NULL;
  for (int i = 0; i < 3; i++) sem_post(s);
  sem_close(s);
  return name;
}

int main(void) {
  snprintf(name, sizeof name, "/heddle-test-%d", (int)getpid());
  sem_unlink(name);
  errno = 0;
  printf("%d ", sem_open(name, 0) == SEM_FAILED);
  printf("%d\n", errno == ENOENT);
  sem_t *s = sem_open(name, O_CREAT | O_EXCL, 0600, 2);
  if (s == SEM_FAILED) return 1;
  printf("%d\n", sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
  pthread_t t;
  pthread_create(&t, NULL, posts, NULL);
  for (int i = 0; i < 5; i++) sem_wait(s);
  void *r;
  pthread_join(t, &r);
  int v = -1;
  sem_getvalue(s, &v);
  printf("%d %d\n", v, r == name);
  printf("%d %d\n", sem_close(s), sem_unlink(name));
  return 0;
}
