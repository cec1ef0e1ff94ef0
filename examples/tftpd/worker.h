/* The worker: the thread that serves one request, from the copy of the datagram to the
 * last packet. */
#ifndef TFTPD_WORKER_H
#define TFTPD_WORKER_H

/* The thread function; takes the request from the listener. */
void *worker_main(void *unused);

#endif
