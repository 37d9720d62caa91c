-- A meeting that is over or cancelled stays so; a date of a repeat that was left out may still be booked.
create or replace function meet_ends_once() returns trigger language plpgsql as $$
begin
  raise exception 'meeting % is over', old.id;
end $$;
create trigger meet_ends_once before update of meet_status on meet for each row
  when (old.meet_status in (2, 3) and new.meet_status <> old.meet_status and not old.skipped)
  execute function meet_ends_once();

-- Who signed in, was absent or excused is not made to have done otherwise; who was absent may have been late.
create or replace function meet_sign_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'meeting %: % has signed in', old.meet_id, old.user_id;
end $$;
create trigger meet_sign_is_final before update of sign_state on meet_attendee for each row
  when (old.sign_state <> new.sign_state and not (old.sign_state = 0 or (old.sign_state = 3 and new.sign_state in (1, 2))))
  execute function meet_sign_is_final();

-- What was published stands, and so does a decision of which an item to be supervised was made.
create or replace function meet_said_is_final() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'meet_minutes' or exists (select from supervise where source_module = 'meetings' and not is_deleted
    and source_id = (to_jsonb(old) ->> 'meet_id')::int and source_key = to_jsonb(old) ->> 'no') then
    raise exception 'meeting %: what was settled stands', old.meet_id;
  end if;
  return coalesce(new, old);
end $$;
create trigger meet_minutes_published before update on meet_minutes for each row
  when (old.state = 3) execute function meet_said_is_final();
create trigger meet_decision_raised before update or delete on meet_decision for each row
  execute function meet_said_is_final();

-- A room that was deleted is nobody's any more. Whoever deletes one waits for its bookings, and the other way round, by the lock of the room's times.
create or replace function booking_room_there() returns trigger language plpgsql as $$
begin
  if not exists (select from meet_room where id = new.resource_id and not is_deleted) then
    raise exception 'room % is not there', new.resource_id using errcode = '23503', constraint = 'booking_room_there';
  end if;
  return new;
end $$;
create trigger booking_room_there before insert or update of resource, resource_id on booking for each row
  when (new.resource = 'room') execute function booking_room_there();
