/* UDP sockets and addresses (IPv4). Functions that fail leave the reason in errno. */
#ifndef TFTPD_NET_H
#define TFTPD_NET_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sockaddr_in Address;

enum { NET_TEXT = INET_ADDRSTRLEN + 8 }; /* room for 255.255.255.255:65535 */

/* An address from its text and a port; false if the text is no address. */
bool net_read_address(const char *text, unsigned port, Address *ret);

/* A socket bound to the address; port 0 lets the system choose. -1 if there is none. */
int net_open(const Address *address);

/* The address that the socket really has. */
bool net_local_address(int socket, Address *ret);

/* Sends one datagram. */
bool net_send(int socket, const Address *to, const void *bytes, size_t length);

/* Takes the next datagram, or waits for it; -1 if there is none. */
long net_receive(int socket, void *bytes, size_t room, Address *ret_from);

/* Waits until the socket has a datagram; false when the time is over. */
bool net_wait(int socket, unsigned milliseconds);

/* Milliseconds of a clock that never goes back. */
uint64_t net_now_ms(void);

bool net_same_address(const Address *a, const Address *b);

/* The address as a text for the log, until the next call. */
const char *net_text(const Address *address);

#endif
