// race: unsafe lines 29 31 57 — one field is counted outside of the lock, and one thread is not joined
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
#include <pthread.h>
#include <stddef.h>
#define container_of(ptr, type, member)                                                  \
  ({                                                                                     \
    const typeof(((type *)0)->member) *__mptr = (ptr);                                   \
    (type *)((char *)__mptr - offsetof(type, member));                                   \
  })
struct device {
  int id;
};
struct A {
  int a;
  int b;
};
struct my_data {
  pthread_mutex_t lock;
  struct device dev;
  struct A shared;
};
pthread_t t1, t2;
void *my_callback(void *arg) {
  struct device *dev = (struct device *)arg;
  struct my_data *data;
  data = container_of(dev, struct my_data, dev);
  pthread_mutex_lock(&data->lock);
  data->shared.a = 1;
  pthread_mutex_unlock(&data->lock);
  data->shared.b = data->shared.b + 1;
  return 0;
}
int my_drv_probe(struct my_data *data) {
  struct device *d = &data->dev;
  pthread_mutex_init(&data->lock, NULL);
  data->shared.a = 0;
  data->shared.b = 0;
  int res = __VERIFIER_nondet_int();
  if (res) goto exit;
  pthread_create(&t1, NULL, my_callback, (void *)d);
  pthread_create(&t2, NULL, my_callback, (void *)d);
  return 0;
exit:
  pthread_mutex_destroy(&data->lock);
  return -1;
}
void my_drv_disconnect(struct my_data *data) {
  (void)data;
  void *status;
  pthread_join(t1, &status);
}
int main(void) {
  struct my_data data;
  if (my_drv_probe(&data) == 0) {
    my_drv_disconnect(&data);
    if (data.shared.a != 1) abort();
  }
  return 0;
}
