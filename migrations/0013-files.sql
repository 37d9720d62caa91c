-- What files take up, by who sent them and altogether (0), follows them. The house's row is always locked first, then people's in order:
-- so transactions wait for one another and never in a ring.

create or replace function file_usage_follows() returns trigger language plpgsql as $$
declare
  sign constant int := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  insert into file_usage as u (id, bytes) select 0, sign * sum(size) from changed having count(*) > 0
    on conflict (id) do update set bytes = u.bytes + excluded.bytes;
  insert into file_usage as u (id, bytes) select uploader_id, sign * sum(size) from changed where uploader_id > 0
    group by uploader_id order by uploader_id
    on conflict (id) do update set bytes = u.bytes + excluded.bytes;
  return null;
end $$;
create trigger file_usage_grows after insert on file referencing new table as changed
  for each statement execute function file_usage_follows();
create trigger file_usage_shrinks after delete on file referencing old table as changed
  for each statement execute function file_usage_follows();

create or replace function file_size_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'the size and the sender of a file do not change';
end $$;
create trigger file_size_stays before update of size, uploader_id on file
  for each row when ((old.size, old.uploader_id) is distinct from (new.size, new.uploader_id))
  execute function file_size_is_final();
