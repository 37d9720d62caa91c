-- No part is due after its item, whichever of them is moved; both may be moved together.
create or replace function supervise_due_within() returns trigger language plpgsql as $$
begin
  if exists (
    select from supervise_sub s join supervise i on i.id = s.supervise_id
    where i.id = case when tg_table_name = 'supervise' then new.id else (to_jsonb(new) ->> 'supervise_id')::int end
      and s.status <> 5 and i.status <> 0 and s.due_at > i.due_at) then
    raise exception 'a part is due after its item' using errcode = '23514', constraint = 'supervise_due_within';
  end if;
  return null;
end $$;
create constraint trigger supervise_due_within after insert or update of due_at, status on supervise
  deferrable initially deferred for each row execute function supervise_due_within();
create constraint trigger supervise_sub_due_within after insert or update of due_at, status on supervise_sub
  deferrable initially deferred for each row execute function supervise_due_within();

-- What was said and planned stays as it was; of a report the check alone is written, once; of a sheet that it was signed for, and what was answered.
create or replace function supervise_is_kept() returns trigger language plpgsql as $$
declare
  later constant text[] := case tg_table_name
    when 'supervise_progress' then array['check_state', 'check_opinion', 'checker', 'checker_for', 'check_time']
    else array['received_at', 'received_by', 'answer'] end;
begin
  -- Drafts go with what hangs on them.
  if tg_op = 'DELETE' then
    if pg_trigger_depth() > 1 then
      return old;
    end if;
    raise exception '% is append-only', tg_table_name;
  end if;
  if to_jsonb(new) - later = to_jsonb(old) - later
    and coalesce((to_jsonb(old) ->> 'check_state')::int, 0) = 0
    and (to_jsonb(old) ->> 'received_at' is null
      -- Signed for without a word, it is answered later, once.
      or to_jsonb(old) ->> 'answer' = '' and to_jsonb(new) - 'answer' = to_jsonb(old) - 'answer') then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger supervise_progress_kept before update or delete on supervise_progress
  for each row execute function supervise_is_kept();
create trigger supervise_sheet_kept before update or delete on supervise_sheet
  for each row execute function supervise_is_kept();
