-- News is pushed to a device as long as whoever asked for it there might come in on it: a session that is ended (not one that only ran
-- out) takes its device along, and what ends all sessions of a person all of theirs.
create function push_device_ended() returns trigger language plpgsql as $$
begin
  delete from push_device where session_id = new.id;
  return null;
end $$;
create trigger push_device_ended after update of ended_at on session
  for each row when (new.ended_at is not null and old.ended_at is null) execute function push_device_ended();

create function push_device_left() returns trigger language plpgsql as $$
begin
  delete from push_device where user_id = new.id;
  return null;
end $$;
create trigger push_device_left after update of session_version, is_active, is_deleted on app_user
  for each row when (new.session_version <> old.session_version or not new.is_active or new.is_deleted)
  execute function push_device_left();
