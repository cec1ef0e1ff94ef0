# expect: unsafe threads 3
# Workers add to the total without its lock: main and two workers are needed.
shared queue, total;  lock Q;
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
  write total;
}
