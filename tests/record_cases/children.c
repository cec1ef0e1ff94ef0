/* Forked children, with threads of their own, and programs that replace them run
 * unwatched; the parent is recorded to its end.
 * COUNT: threads 2
 * COUNT: create 1
 * TRACE: main.1 write shared 4 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int shared;

static void *worker(void *a) {
  shared++;
  return a;
}

static void thread(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
}

static int wait_for(pid_t child) {
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child) abort();
  return WEXITSTATUS(status);
}

int main(void) {
  pid_t child = fork();
  if (!child) {
    thread();
    exit(shared);
  }
  int first = wait_for(child);
  child = fork();
  if (!child) {
    execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
    _exit(9);
  }
  int second = wait_for(child);
  thread();
  printf("%d %d %d\n", first, second, shared);
  return 0;
}
