0# expect: safe
# All accesses are inside atomic sections.
shared x, y;
thread left*  { atomic { read x; write y; } }
thread right* { atomic { read y; write x; } }
