-- Who has which seal is a chain that is only added to; what was sealed stands as it was written.

alter table stamp_custody add constraint stamp_custody_one_stand_in exclude using gist (stamp_id with =, during with &&)
  where (kind = 3 and state < 2);

-- A proposal is decided once. Afterwards nothing of it changes but that a period ends before its time, once.
create or replace function stamp_custody_guard() returns trigger language plpgsql as $$
declare
  decided constant text[] := array['state', 'decided_at', 'signed', 'from_time', 'during'];
begin
  if tg_op = 'UPDATE' then
    if old.state = 0 and to_jsonb(new) - decided = to_jsonb(old) - decided then
      return new;
    end if;
    if old.state = 1 and old.kind = 3 and old.ended_at is null and new.ended_at is not null
      and to_jsonb(new) - array['ended_at', 'during'] = to_jsonb(old) - array['ended_at', 'during'] then
      return new;
    end if;
  end if;
  -- Seals that were never used go with the little that happened to them.
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then
    return old;
  end if;
  raise exception 'stamp_custody is append-only';
end $$;
create trigger stamp_custody_append_only before update or delete on stamp_custody
  for each row execute function stamp_custody_guard();
create trigger stamp_custody_no_truncate before truncate on stamp_custody
  for each statement execute function stamp_custody_guard();

create or replace function stamp_use_is_final() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then
    if to_jsonb(old) ->> 'custody_id' is not null then
      return old;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger stamp_use_append_only before update or delete on stamp_use
  for each row execute function stamp_use_is_final();
create trigger stamp_use_no_truncate before truncate on stamp_use
  for each statement execute function stamp_use_is_final();
create trigger stamp_picture_append_only before update or delete on stamp_picture
  for each row execute function stamp_use_is_final();
create trigger stamp_picture_no_truncate before truncate on stamp_picture
  for each statement execute function stamp_use_is_final();

-- Neither keeper, supervisor nor status change but by an event of custody of the same transaction.
create or replace function stamp_changes_by_custody() returns trigger language plpgsql as $$
begin
  if not exists (select from stamp_custody c where c.stamp_id = new.id and c.state = 1 and c.decided_at = now()) then
    raise exception 'a seal changes hands by custody alone';
  end if;
  return null;
end $$;
create constraint trigger stamp_by_custody after update of keeper_id, backup_id, supervisor_id, status on stamp
  deferrable initially deferred for each row
  when ((old.keeper_id, old.backup_id, old.supervisor_id, old.status)
    is distinct from (new.keeper_id, new.backup_id, new.supervisor_id, new.status))
  execute function stamp_changes_by_custody();
