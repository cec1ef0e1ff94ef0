// race: unsafe lines 10 22 — the only other thread is the one that a message starts
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <string.h>

static int x;
static void arrived(union sigval value) {
  (void)value;
  x++;
}

int main(void) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = arrived;
  mqd_t queue = mq_open("/queue", O_RDONLY | O_CREAT, 0600, NULL);
  mq_notify(queue, &event);
  char message[8192];
  mq_receive(queue, message, sizeof message, NULL);
  x++;
  return 0;
}
