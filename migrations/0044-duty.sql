-- Nobody has two shifts at one moment, whoever writes them.
alter table duty_person add constraint duty_person_free
  exclude using gist (user_id with =, tstzrange(start_time, end_time) with &&);

-- A shift whose people change ends the swap that was open about it, and lets go of the other side.
create function duty_person_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.user_id <> old.user_id then
    update duty_swap set state = 6, gmt_modified = now(), version = version + 1
      where id = old.swap_id and state in (1, 2);
    update duty_person set swap_id = null where swap_id = old.swap_id and (shift_id, user_id) <> (old.shift_id, old.user_id);
  end if;
  return null;
end $$;
create trigger duty_person_changed after update or delete on duty_person
  for each row when (old.swap_id is not null) execute function duty_person_changed();

-- The log and what was handed over stand as they were written.
create trigger duty_entry_append_only before update or delete on duty_entry
  for each row execute function append_only();
create trigger duty_entry_no_truncate before truncate on duty_entry
  for each statement execute function append_only();
create trigger duty_handover_append_only before update or delete on duty_handover
  for each row execute function append_only();
create trigger duty_handover_no_truncate before truncate on duty_handover
  for each statement execute function append_only();
create trigger duty_change_append_only before update or delete on duty_change
  for each row execute function append_only();
create trigger duty_change_no_truncate before truncate on duty_change
  for each statement execute function append_only();
