# expect: safe
# Producers and consumers that wake each other by broadcast; the buffer has one lock.
shared buffer;  lock L;  cond full, empty;
thread producer* {
  while (*) {
    acquire L;
    while (*) { wait empty, L; }
    write buffer;
    broadcast full;
    release L;
  }
}
thread consumer* {
  while (*) {
    acquire L;
    while (*) { wait full, L; }
    read buffer;
    broadcast empty;
    release L;
  }
}
