-- The operation log is only ever added to. A row changes twice at most: when it is sealed, and when its content is removed.

create or replace function log_is_blank(row_ log) returns boolean language sql immutable as $$
  select row_.user_id is null and row_.result = 0 and row_.ms = 0 and row_.diff = '[]' and row_.search = ''
    and row_.gmt_created = 'epoch'
    and row_.username || row_.alias || row_.module || row_.action || row_.object_type || row_.object_id || row_.title
      || row_.method || row_.path || row_.ip || row_.ua || row_.trace_id = ''
$$;

create or replace function log_guard() returns trigger language plpgsql as $$
declare
  seals constant text[] := array['seal', 'content_hash', 'prev_hash', 'hash'];
begin
  if tg_op = 'INSERT' then
    if new.seal is not null or new.hash is not null or new.removed = 1 then
      raise exception 'a log row is sealed after its commit';
    end if;
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if old.seal is null and old.hash is null and new.seal is not null and new.hash is not null
      and to_jsonb(new) - seals = to_jsonb(old) - seals then
      return new;
    end if;
    if old.seal is not null and old.removed = 0 and new.removed = 1 and log_is_blank(new)
      and new.id = old.id and new.seal = old.seal and new.hash = old.hash and new.prev_hash = old.prev_hash
      and new.content_hash = old.content_hash and old.gmt_created < now() - interval '180 days' then
      return new;
    end if;
  end if;
  raise exception 'the log is append-only';
end
$$;

create trigger log_guard before insert or update or delete on log for each row execute function log_guard();
create trigger log_keep before truncate on log for each statement execute function log_guard();
