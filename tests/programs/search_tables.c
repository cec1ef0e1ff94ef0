/* Hash tables, trees and queues of search.h; pipes and pairs of sockets. */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int compare(const void *a, const void *b) {
  return strcmp(a, b);
}

static void hash(void) {
  static const char *const words[] = {"one", "two", "three", "four"};
  struct hsearch_data table = {0};
  ENTRY *found;
  printf("%d\n", hcreate(10) != 0);
  for (long i = 0; i < 4; i++) {
    ENTRY e = {.key = (char *)words[i], .data = (void *)(i + 1)};
    printf("%d\n", hsearch(e, ENTER) != NULL);
  }
  found = hsearch((ENTRY){.key = "three"}, FIND);
  printf("%ld\n", found ? (long)found->data : -1);
  found = hsearch((ENTRY){.key = "three", .data = (void *)9}, ENTER);
  printf("%ld\n", found ? (long)found->data : -1);
  printf("%d\n", hsearch((ENTRY){.key = "five"}, FIND) == NULL);
  hdestroy();
  printf("%d\n", hcreate_r(5, &table) != 0);
  printf("%d\n", hsearch_r((ENTRY){.key = "a", .data = "b"}, ENTER, &found, &table) != 0);
  printf("%d\n", hsearch_r((ENTRY){.key = "c"}, FIND, &found, &table));
  printf("%d\n", hsearch_r((ENTRY){.key = "a"}, FIND, &found, &table) != 0);
  printf("%s\n", (char *)found->data);
  hdestroy_r(&table);
}

static void tree(void) {
  static const char *const words[] = {"m", "c", "t", "a", "d", "z", "p"};
  void *root = NULL;
  for (int i = 0; i < 14; i++)
    printf("%s\n", *(char **)tsearch(words[i % 7], &root, compare));
  printf("%d\n", tfind("d", &root, compare) != NULL);
  printf("%d\n", tfind("e", &root, compare) != NULL);
  printf("%d\n", tdelete("m", &root, compare) != NULL);
  printf("%d\n", tdelete("m", &root, compare) != NULL);
  printf("%d\n", tfind("m", &root, compare) != NULL);
  for (int i = 1; i < 7; i++) printf("%d", tfind(words[i], &root, compare) != NULL);
  for (int i = 1; i < 7; i++) printf("%d", tdelete(words[i], &root, compare) != NULL);
  printf("\n%d\n", root == NULL);
}

struct Element {
  struct Element *next, *before;
  int value;
};

static void queue(void) {
  struct Element a = {.value = 1}, b = {.value = 2}, c = {.value = 3};
  insque(&a, NULL);
  insque(&b, &a);
  insque(&c, &a);
  for (struct Element *e = &a; e; e = e->next) printf("%d", e->value);
  remque(&c);
  for (struct Element *e = &b; e; e = e->before) printf("%d", e->value);
  printf("\n");
}

static void channels(void) {
  int ends[2];
  char text[16] = "", other[4] = "";
  printf("%d\n", pipe(ends));
  struct iovec parts[2] = {{"hel", 3}, {"lo", 2}};
  printf("%zd\n", writev(ends[1], parts, 2));
  printf("%zd\n", read(ends[0], text, 4));
  printf("%s\n", text);
  printf("%ld\n", (long)lseek(ends[0], 0, SEEK_CUR));
  close(ends[1]);
  printf("%zd\n", read(ends[0], text, 4));
  printf("%zd\n", read(ends[0], text, 4));
  close(ends[0]);
  printf("%d\n", socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  struct iovec in[2] = {{text, 3}, {other, 3}};
  struct msghdr to = {.msg_iov = parts, .msg_iovlen = 2},
                from = {.msg_iov = in, .msg_iovlen = 2};
  printf("%zd\n", sendmsg(ends[0], &to, 0));
  printf("%zd\n", recvmsg(ends[1], &from, 0));
  printf("%s %s\n", text, other);
  printf("%zd\n", send(ends[1], "back", 5, 0));
  printf("%zd\n", recv(ends[0], text, sizeof text, 0));
  printf("%s\n", text);
}

static void fixed(void) {
  char *place = (char *)0x40000000;
  char *first = mmap(place, 8192, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  printf("%d\n", first == place);
  strcpy(first, "there");
  strcpy(first + 4096, "kept");
  char *second = mmap(place, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  printf("%d %d %s\n", second == place, second[0], place + 4096);
  printf("%d\n", munmap(place, 8192));
}

int main(void) {
  hash();
  tree();
  queue();
  channels();
  fixed();
  return 0;
}
