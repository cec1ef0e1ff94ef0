// race: unsafe lines 13 15 — the request is still under way: its buffer is written beside
#include <aio.h>
#include <stddef.h>

static char buffer[8];
static struct aiocb request;

int main(void) {
  request.aio_fildes = 0;
  request.aio_buf = buffer;
  request.aio_nbytes = sizeof buffer;
  request.aio_sigevent.sigev_notify = SIGEV_NONE;
  aio_read(&request);
  /* nobody has waited for its end */
  buffer[0] = 1;
  return 0;
}
