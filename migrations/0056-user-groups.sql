-- Whoever comes to the list of a user group, or leaves it, gains and loses what waits there, as in 0025.
create or replace function pools_of_group() returns trigger language plpgsql as $$
declare
  before integer[] := case when tg_op = 'INSERT' then '{}' else old.people end;
  after integer[] := case when tg_op = 'DELETE' then '{}' else new.people end;
  person integer;
begin
  if to_regnamespace('graphile_worker') is null or not exists (select from ticket) then
    return null;
  end if;
  for person in (select unnest(before) except select unnest(after)) union (select unnest(after) except select unnest(before)) loop
    perform graphile_worker.add_job('ask pools again', json_build_object('person', person), job_key => 'pools:' || person);
  end loop;
  return null;
end $$;
create trigger user_group_pools after insert or delete or update of people on user_group
  for each row execute function pools_of_group();
