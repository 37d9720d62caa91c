-- Roles that are given until a day are over by themselves the day after.
-- Roles that follow from what somebody looks after, beside those that were given by hand (decision 0046).
create view held_role as
  select user_id, role_id, until from user_role
  where until is null or until >= (now() at time zone 'Asia/Shanghai')::date
  union all
  select keeper.id, role.id, null::date from role cross join folder_category c cross join unnest(c.manager_ids) keeper (id)
  where role.code = 'folder_keeper';

-- Whoever a category names from now on, or no more, may do other things at once; what waits for a role follows them.
create or replace function keepers_changed() returns trigger language plpgsql as $$
declare
  person integer;
begin
  for person in
    select id from unnest(array_cat(old.manager_ids, new.manager_ids)) id group by id
    having (id = any(old.manager_ids)) is distinct from (id = any(new.manager_ids))
  loop
    perform pg_notify('rights', person::text);
    if to_regnamespace('graphile_worker') is not null and exists (select from ticket) then
      perform graphile_worker.add_job('ask pools again', json_build_object('person', person), job_key => 'pools:' || person);
    end if;
  end loop;
  return null;
end $$;
create trigger folder_category_keepers after insert or update of manager_ids or delete on folder_category
  for each row execute function keepers_changed();
