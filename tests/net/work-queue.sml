# expect: safe
# A server starts a thread per request; the workers share a queue under a lock.
shared queue, total;  lock Q, T;
thread main {
  while (*) {
    acquire Q;
    write queue;
    release Q;
    create worker;
  }
}
thread worker {
  acquire Q;
  read queue;
  write queue;
  release Q;
  acquire T;
  write total;
  release T;
}
