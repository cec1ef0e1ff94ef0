// race: safe — each thread has a stream of zlib of its own; both compress one text, which nobody writes
#include <pthread.h>
#include <stddef.h>

/* as zlib.h declares it; the program is checked without the library */
struct z_stream {
  const unsigned char *next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *(*zalloc)(void *, unsigned, unsigned);
  void (*zfree)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler, reserved;
};
int deflateInit_(struct z_stream *, int level, const char *version, int size);
int deflate(struct z_stream *, int flush);
int deflateEnd(struct z_stream *);

static const unsigned char text[100];

static void *work(void *unused) {
  unsigned char out[200];
  struct z_stream s = {.next_in = text, .avail_in = 100, .next_out = out, .avail_out = 200};
  if (deflateInit_(&s, 6, "1.2", sizeof s)) return NULL;
  deflate(&s, 4);
  deflateEnd(&s);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
}
