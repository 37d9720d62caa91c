-- Nothing new hangs on a department that is deleted, whoever deletes it at that moment. What is only written down (logs, sheets that went
-- out, ballots) keeps the department it was of.
create or replace function dept_is_there() returns trigger language plpgsql as $$
declare
  wanted int;
  was int;
  dept record;
begin
  execute format('select ($1).%I', tg_argv[0]) into wanted using new;
  if tg_op = 'UPDATE' then
    execute format('select ($1).%I', tg_argv[0]) into was using old;
  end if;
  if wanted is null or wanted is not distinct from was then
    return new;
  end if;
  -- Held until this commits: whoever deletes it meanwhile waits, and counts what is written here.
  select d.name, d.is_deleted into dept from dept d where d.id = wanted for share;
  if dept.is_deleted then
    raise exception 'department % is deleted', wanted using errcode = '23503', constraint = 'dept_is_there', detail = dept.name;
  end if;
  return new;
end $$;
create trigger app_user_dept_id_is_there before insert or update of dept_id on app_user
  for each row execute function dept_is_there('dept_id');
create trigger user_dept_dept_id_is_there before insert or update of dept_id on user_dept
  for each row execute function dept_is_there('dept_id');
create trigger dept_person_dept_id_is_there before insert or update of dept_id on dept_person
  for each row execute function dept_is_there('dept_id');
create trigger ticket_dept_id_is_there before insert or update of dept_id on ticket
  for each row execute function dept_is_there('dept_id');
create trigger contract_dept_id_is_there before insert or update of dept_id on contract
  for each row execute function dept_is_there('dept_id');
create trigger contract_manage_dept_is_there before insert or update of manage_dept on contract
  for each row execute function dept_is_there('manage_dept');
create trigger contract_category_manage_dept_is_there before insert or update of manage_dept on contract_category
  for each row execute function dept_is_there('manage_dept');
create trigger order_category_team_id_is_there before insert or update of team_id on order_category
  for each row execute function dept_is_there('team_id');
create trigger repair_order_team_id_is_there before insert or update of team_id on repair_order
  for each row execute function dept_is_there('team_id');
create trigger repair_order_dept_id_is_there before insert or update of dept_id on repair_order
  for each row execute function dept_is_there('dept_id');
create trigger supervise_lead_dept_is_there before insert or update of lead_dept on supervise
  for each row execute function dept_is_there('lead_dept');
create trigger supervise_sub_dept_is_there before insert or update of dept on supervise_sub
  for each row execute function dept_is_there('dept');
create trigger customer_dept_id_is_there before insert or update of dept_id on customer
  for each row execute function dept_is_there('dept_id');
create trigger stamp_dept_id_is_there before insert or update of dept_id on stamp
  for each row execute function dept_is_there('dept_id');
create trigger stamp_dept_dept_id_is_there before insert or update of dept_id on stamp_dept
  for each row execute function dept_is_there('dept_id');
create trigger stamp_application_dept_id_is_there before insert or update of dept_id on stamp_application
  for each row execute function dept_is_there('dept_id');
create trigger meet_office_dept_id_is_there before insert or update of dept_id on meet_office
  for each row execute function dept_is_there('dept_id');
create trigger meet_dept_id_is_there before insert or update of dept_id on meet
  for each row execute function dept_is_there('dept_id');
create trigger activity_dept_id_is_there before insert or update of dept_id on activity
  for each row execute function dept_is_there('dept_id');
create trigger leader_schedule_dept_id_is_there before insert or update of dept_id on leader_schedule
  for each row execute function dept_is_there('dept_id');
create trigger duty_plan_dept_id_is_there before insert or update of dept_id on duty_plan
  for each row execute function dept_is_there('dept_id');
create trigger document_dept_id_is_there before insert or update of dept_id on document
  for each row execute function dept_is_there('dept_id');
create trigger document_lead_dept_is_there before insert or update of lead_dept on document
  for each row execute function dept_is_there('lead_dept');
create trigger folder_paper_dept_id_is_there before insert or update of dept_id on folder_paper
  for each row execute function dept_is_there('dept_id');
create trigger photo_dept_id_is_there before insert or update of dept_id on photo
  for each row execute function dept_is_there('dept_id');
create trigger alumnus_dept_id_is_there before insert or update of dept_id on alumnus
  for each row execute function dept_is_there('dept_id');
create trigger role_scope_dept_dept_id_is_there before insert or update of dept_id on role_scope_dept
  for each row execute function dept_is_there('dept_id');
