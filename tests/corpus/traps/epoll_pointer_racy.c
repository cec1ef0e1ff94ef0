// race: unsafe lines 17 33 — the waiting thread gets the pointer from epoll, and its owner goes on
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

typedef struct {
  int events;
} Connection;

static int queue;

static void *waiter(void *unused) {
  struct epoll_event event;
  if (epoll_wait(queue, &event, 1, -1) == 1) {
    Connection *connection = event.data.ptr;
    connection->events++;
  }
  return unused;
}

int main(void) {
  pthread_t t;
  int ends[2];
  queue = epoll_create1(0);
  if (queue < 0 || pipe(ends) != 0) return 1;
  Connection *connection = calloc(1, sizeof *connection);
  if (!connection) return 1;
  struct epoll_event event = {.events = EPOLLOUT, .data.ptr = connection};
  pthread_create(&t, NULL, waiter, NULL);
  epoll_ctl(queue, EPOLL_CTL_ADD, ends[1], &event);
  /* ends[1] can be written to, so the waiter has it already */
  connection->events++;
  pthread_join(t, NULL);
  free(connection);
  return 0;
}
