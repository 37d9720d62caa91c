-- Whoever keeps or watches over a seal and is in office no more: those who can name another hear of it.
create or replace function keeper_left() returns trigger language plpgsql as $$
begin
  if to_regnamespace('graphile_worker') is not null
    and exists (select from stamp s where new.id in (s.keeper_id, s.backup_id, s.supervisor_id) and s.status <> 5) then
    perform graphile_worker.add_job('tell of seals whose keeper left', json_build_object('person', new.id), job_key => 'keeper left:' || new.id);
  end if;
  return null;
end $$;
create trigger app_user_keeper_left after update of is_active, is_deleted on app_user
  for each row when ((old.is_active and not old.is_deleted) and (not new.is_active or new.is_deleted))
  execute function keeper_left();
