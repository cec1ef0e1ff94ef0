# expect: unsafe threads 2
# The same, but a consumer that was woken reads after it gave the lock back.
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
    release L;
    read buffer;
    broadcast empty;
  }
}
