-- What sqlite3 is asked under `heddle exec` and natively; bench/front compares the answers.
create table thread(id integer primary key, kind text not null, tension real, colour text);
insert into thread(kind, tension, colour) values
  ('warp', 1.5, 'red'), ('weft', 2.25, 'blue'), ('warp', -3, 'green'), ('weft', 100, 'red'), ('warp', 0.125, null);
select id, upper(kind), tension * 2 from thread where tension > -5 order by kind desc, id;
select colour, count(*), sum(tension), group_concat(kind, '-') from thread group by colour order by colour;
with recursive f(n, x) as (select 1, 1 union all select n + 1, x * (n + 1) from f where n < 15) select n, x from f;
create index by_colour on thread(colour);
explain query plan select * from thread where colour = 'red';
select a.id, b.id from thread a join thread b on a.colour = b.colour and a.id < b.id;
begin; update thread set tension = tension + 1 where kind = 'weft'; rollback;
begin; delete from thread where id = 3; commit;
select sum(tension), avg(tension), max(colour) from thread;
select printf('%08.3f|%-6s|%x', 3.14159, 'ab', 255), hex('text'), substr('heddle', 2, 3), round(2.5), 7 / 2, 7 % 3;
select sum(value * value) from (with recursive s(value) as (select 1 union all select value + 1 from s limit 500) select * from s);
create trigger log after insert on thread begin update thread set tension = 7 where id = new.id; end;
insert into thread(kind, tension) values ('reed', 1);
select kind, tension, row_number() over (order by tension) from thread;
select nonsense from thread;
pragma integrity_check;
