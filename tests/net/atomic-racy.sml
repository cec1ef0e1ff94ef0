# expect: unsafe threads 2
# One access is outside.
shared x, y;
thread left*  { atomic { read x; write y; } }
thread right* { read y; atomic { write x; } }
