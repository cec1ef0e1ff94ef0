// deadlock: safe; race: safe — the report reads the data before it takes the log's lock
#include <pthread.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines, data;

static void log_line(void) {
  pthread_mutex_lock(&log_lock);
  lines++;
  pthread_mutex_unlock(&log_lock);
}

static int read_data(void) {
  pthread_mutex_lock(&data_lock);
  int result = data;
  pthread_mutex_unlock(&data_lock);
  return result;
}

static void *update(void *arg) {
  pthread_mutex_lock(&data_lock);
  data++;
  log_line();
  pthread_mutex_unlock(&data_lock);
  return arg;
}

static void *report(void *arg) {
  int now = read_data();
  pthread_mutex_lock(&log_lock);
  lines += now;
  pthread_mutex_unlock(&log_lock);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, update, NULL);
  pthread_create(&u, NULL, report, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return lines > 2;
}
