# expect: safe
# Another variant: the lock is taken and given back for each item.
shared buffer, L, cvEmpty, cvFull;
//Many Producers
while (true) {
  acquire L;
  wait cvEmpty, L;
  write buffer;
  signal cvFull;
  release L;
}
//Many Consumers
while (true) {
  acquire L;
  wait cvFull, L;
  read buffer;
  signal cvEmpty;
  release L;
}
