# expect: unsafe threads 2
# Counter of the paper's Table 1: any number of threads increment without a lock.
shared counter;
read counter;
write counter;
