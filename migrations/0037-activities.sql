-- How a round was judged stands: an auditor reads there why somebody was asked, or was not.
create or replace function activity_round_stands() returns trigger language plpgsql as $$
begin
  raise exception 'activity_round is append-only';
end $$;
create trigger activity_round_append_only before update or delete on activity_round
  for each row execute function activity_round_stands();
create trigger activity_round_no_truncate before truncate on activity_round
  for each statement execute function activity_round_stands();

-- The proposed schedule of a leader is set once.
create or replace function activity_leader_stands() returns trigger language plpgsql as $$
begin
  if old.schedule_ref is not null and new.schedule_ref is distinct from old.schedule_ref then
    raise exception 'activity_leader % of activity % has its schedule', old.user_id, old.activity_id;
  end if;
  return new;
end $$;
create trigger activity_leader_stands before update on activity_leader
  for each row execute function activity_leader_stands();
