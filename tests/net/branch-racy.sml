# expect: unsafe threads 2
# `branch` may skip the acquire.
shared x;  lock L;
branch skip;
acquire L;
skip: write x;
release L;
