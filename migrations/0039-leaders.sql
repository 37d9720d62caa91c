-- What was changed of a leader's schedule, and what was published, stands as it was written.

create or replace function leader_is_final() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then
    return old;
  end if;
  -- The pages of a published week are set once.
  if tg_op = 'UPDATE' and tg_table_name = 'leader_week' then
    if to_jsonb(new) - array['pdf_all', 'pdf_open'] = to_jsonb(old) - array['pdf_all', 'pdf_open']
      and (old.pdf_all is null or old.pdf_all = new.pdf_all) and (old.pdf_open is null or old.pdf_open = new.pdf_open) then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger leader_change_append_only before update or delete on leader_change
  for each row execute function leader_is_final();
create trigger leader_change_no_truncate before truncate on leader_change
  for each statement execute function leader_is_final();
create trigger leader_week_append_only before update or delete on leader_week
  for each row execute function leader_is_final();
create trigger leader_week_no_truncate before truncate on leader_week
  for each statement execute function leader_is_final();
