# expect: safe
# Lock-ReadWriteOnly: only the accesses are secured, not what happens between them.
shared counter, L;
acquire L;
read counter;
release L;
acquire L;
write counter;
release L;
