/* The uplink of a rover. Faulty: a second thread cancels the transmission whenever it likes. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

typedef int Connection;

static const char *header;
static int sent;
static sem_t done;

Connection open_connection(const char *name) {
  return name[0];
}
void close_connection(Connection c) {
  sent += c;
}
void cancel_transmission(Connection c) {
  sent -= c;
}
void write_buffer(Connection c, int data) {
  sent += c + data;
}
void commit_buffer(Connection c) {
  sent += c;
}
void acknowledge(void) {
}

static void *watchdog(void *argument) {
#ifdef RIGHT
  sem_wait(&done);
#else
  usleep(20000);
#endif
  cancel_transmission(1);
  return argument;
}

int main(void) {
  pthread_t t;
  sem_init(&done, 0, 0);
  Connection c = open_connection("earth");
  pthread_create(&t, NULL, watchdog, NULL);
  header = "temperature";
  commit_buffer(c);
  acknowledge();
  write_buffer(c, 21);
  commit_buffer(c);
  acknowledge();
  sem_post(&done);
  pthread_join(t, NULL);
  c = open_connection("moon");
  close_connection(c);
  return 0;
}
