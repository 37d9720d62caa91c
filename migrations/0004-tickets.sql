create or replace function ticket_log_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'ticket_log is append-only';
end $$;
create trigger ticket_log_append_only before update or delete on ticket_log
  for each row execute function ticket_log_is_final();
create trigger ticket_log_no_truncate before truncate on ticket_log
  for each statement execute function ticket_log_is_final();

create or replace function workflow_version_is_final() returns trigger language plpgsql as $$
begin
  if old.status = 'draft' then
    return coalesce(new, old);
  end if;
  if tg_op = 'DELETE' or (new.workflow_id, new.no, new.definition, new.hash) is distinct from (old.workflow_id, old.no, old.definition, old.hash)
     or new.status = 'draft' then
    raise exception 'a published workflow version is immutable';
  end if;
  return new;
end $$;
create trigger workflow_version_immutable before update or delete on workflow_version
  for each row execute function workflow_version_is_final();

create or replace function ticket_tasks_go_with_it() returns trigger language plpgsql as $$
begin
  update ticket_task set ticket_deleted = new.is_deleted where ticket_id = new.id;
  return null;
end $$;
create trigger ticket_deletion after update of is_deleted on ticket
  for each row when (old.is_deleted is distinct from new.is_deleted) execute function ticket_tasks_go_with_it();
