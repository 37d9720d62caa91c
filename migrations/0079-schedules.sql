-- What became of a date of a schedule stands; only what failed is seen to once, and may be begun after all.
create function schedule_run_stands() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or old.outcome <> 'failed' or old.handled_at is not null
    or (to_jsonb(new) - array['outcome', 'ticket_id', 'handled_at', 'handled_by'])
      <> (to_jsonb(old) - array['outcome', 'ticket_id', 'handled_at', 'handled_by']) then
    raise exception 'workflow_schedule_run: what was done stands' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger workflow_schedule_run_stands before update or delete on workflow_schedule_run
  for each row execute function schedule_run_stands();
create trigger workflow_schedule_run_no_truncate before truncate on workflow_schedule_run
  for each statement execute function schedule_run_stands();
