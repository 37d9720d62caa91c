-- Whoever comes to a department, a role, a post or a user group, or leaves it, gains and loses what waits there for any one of its people.
create or replace function pools_of_person() returns trigger language plpgsql as $$
declare
  person integer;
begin
  if to_regnamespace('graphile_worker') is null or not exists (select from ticket) then
    return null;
  end if;
  if tg_table_name = 'app_user' then
    person := new.id;
  else
    person := (case when tg_op = 'DELETE' then old.user_id else new.user_id end);
  end if;
  perform graphile_worker.add_job('ask pools again', json_build_object('person', person), job_key => 'pools:' || person);
  return null;
end $$;
create trigger user_role_pools after insert or delete on user_role for each row execute function pools_of_person();
create trigger user_dept_pools after insert or delete on user_dept for each row execute function pools_of_person();
create trigger app_user_joins_pools after insert on app_user
  for each row when (new.dept_id is not null) execute function pools_of_person();
create trigger app_user_pools after update of dept_id, post, is_active, is_deleted on app_user
  for each row when ((old.dept_id, old.post, old.is_active, old.is_deleted) is distinct from (new.dept_id, new.post, new.is_active, new.is_deleted))
  execute function pools_of_person();
