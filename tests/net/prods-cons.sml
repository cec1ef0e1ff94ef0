# expect: safe
# Figure 2, as printed: many producers, many consumers, one buffer.
shared buffer, L, cvEmpty, cvFull;
//Many Producers
acquire L;
while (true) { /* branch */
  wait cvEmpty, L;
  write buffer;
  signal cvFull;
}
release L;
//Many Consumers
acquire L;
while (true) { /* branch */
  wait cvFull, L;
  read buffer;
  signal cvEmpty;
}
release L;
