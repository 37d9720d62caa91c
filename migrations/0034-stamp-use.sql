-- What was submitted is what is sealed; a seal is in one place at a time.

-- The files of an application stand from its submission on; only scans of what was sealed are added then.
create or replace function stamp_file_guard() returns trigger language plpgsql as $$
declare
  state smallint;
begin
  if tg_op = 'INSERT' and new.kind = 2 then
    return new;
  end if;
  select act_state into state from stamp_application where id = coalesce(new.application_id, old.application_id);
  if state is not null and state not in (0, 2, 3) then
    raise exception 'the files of a submitted application do not change';
  end if;
  return coalesce(new, old);
end $$;
create trigger stamp_file_frozen before insert or update or delete on stamp_file
  for each row execute function stamp_file_guard();
create trigger stamp_file_no_truncate before truncate on stamp_file for each statement execute function stamp_use_is_final();

-- A place in the hours of a seal and a time it is taken out keep each other out, whichever was first: both hold the lock of `booking`.
create or replace function stamp_half_day(day date, part smallint) returns tstzrange language sql stable as $$
  select tstzrange((day + case part when 1 then time '08:00' else time '12:00' end)::timestamptz,
    (day + case part when 1 then time '12:00' else time '18:00' end)::timestamptz)
$$;
create or replace function stamp_slot_guard() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('booking:stamp:' || new.stamp_id, 0));
  if exists (select from booking b where b.resource = 'stamp' and b.resource_id = new.stamp_id
    and b.during && stamp_half_day(new.day, new.part)) then
    raise exception 'the seal is out then' using constraint = 'stamp_slot_in_loan', errcode = '23P01';
  end if;
  return new;
end $$;
create trigger stamp_slot_not_in_loan before insert or update of taken on stamp_slot
  for each row when (new.taken > 0) execute function stamp_slot_guard();
create or replace function stamp_booking_guard() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('booking:stamp:' || new.resource_id, 0));
  if exists (select from stamp_slot s where s.stamp_id = new.resource_id and s.taken > 0
    and new.during && stamp_half_day(s.day, s.part)) then
    raise exception 'somebody has a place then' using constraint = 'stamp_loan_over_slot', errcode = '23P01';
  end if;
  return null;
end $$;
create trigger stamp_booking_not_over_slot after insert or update on booking
  for each row when (new.resource = 'stamp') execute function stamp_booking_guard();

-- A seal is out if and only if somebody has it who has not brought it back.
create or replace function stamp_out_is_loan() returns trigger language plpgsql as $$
declare
  seal integer := case when tg_table_name = 'stamp' then (to_jsonb(new) ->> 'id')::int else (to_jsonb(new) ->> 'stamp_id')::int end;
begin
  if exists (select from stamp s where s.id = seal
    and (s.status = 2) <> exists (select from stamp_loan l where l.stamp_id = seal and l.returned_at is null)) then
    raise exception 'a seal is out if and only if there is a loan';
  end if;
  return null;
end $$;
create constraint trigger stamp_out_by_loan after insert or update of status on stamp
  deferrable initially deferred for each row execute function stamp_out_is_loan();
create constraint trigger stamp_loan_is_out after insert or update of returned_at on stamp_loan
  deferrable initially deferred for each row execute function stamp_out_is_loan();
