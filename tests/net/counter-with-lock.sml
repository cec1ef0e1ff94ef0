# expect: safe
# Figure 1 of the paper, as printed.
shared counter, L;
acquire L;
read counter;
write counter;
release L;
