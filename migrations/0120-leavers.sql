-- Whoever leaves the house stands in for nobody any more, workflows that name them say so, and what they put aside is forgotten.
create or replace function somebody_left() returns trigger language plpgsql as $$
begin
  delete from wait_aside where user_id = new.id;
  if to_regnamespace('graphile_worker') is null then
    return null;
  end if;
  if exists (select from stand_in where to_id = new.id and ended_at is null and ends_at > now()) then
    perform graphile_worker.add_job('stand-ins of who left', json_build_object('person', new.id), job_key => 'left-stand-ins:' || new.id);
  end if;
  perform graphile_worker.add_job('workflows that name who left', json_build_object('person', new.id), job_key => 'left-workflows:' || new.id);
  return null;
end $$;
create trigger app_user_leaves after update of is_active, is_deleted on app_user
  for each row when (old.is_active and not old.is_deleted and (not new.is_active or new.is_deleted))
  execute function somebody_left();
