-- What is only ever added to says so by one function, whatever table it is; it takes the place of one function for each.

create or replace function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create or replace trigger ticket_log_append_only before update or delete on ticket_log
  for each row execute function append_only();
create or replace trigger ticket_log_no_truncate before truncate on ticket_log
  for each statement execute function append_only();
drop function ticket_log_is_final();

create or replace trigger document_seal_append_only before update or delete on document_seal
  for each row execute function append_only();
create or replace trigger document_seal_no_truncate before truncate on document_seal
  for each statement execute function append_only();
drop function document_seal_is_final();

create or replace trigger contract_entry_append_only before update or delete on contract_entry
  for each row execute function append_only();
create or replace trigger contract_entry_no_truncate before truncate on contract_entry
  for each statement execute function append_only();
create or replace trigger contract_event_append_only before update or delete on contract_event
  for each row execute function append_only();
create or replace trigger contract_event_no_truncate before truncate on contract_event
  for each statement execute function append_only();
create or replace trigger contract_number_kept before delete on contract_number
  for each row execute function append_only();
create or replace trigger contract_number_no_truncate before truncate on contract_number
  for each statement execute function append_only();
create or replace trigger contract_text_no_truncate before truncate on contract_text
  for each statement execute function append_only();
drop function contract_is_final();

create or replace trigger stamp_custody_no_truncate before truncate on stamp_custody
  for each statement execute function append_only();
create or replace trigger stamp_use_append_only before update or delete on stamp_use
  for each row execute function append_only();
create or replace trigger stamp_use_no_truncate before truncate on stamp_use
  for each statement execute function append_only();
create or replace trigger stamp_file_no_truncate before truncate on stamp_file
  for each statement execute function append_only();
create or replace trigger stamp_picture_no_truncate before truncate on stamp_picture
  for each statement execute function append_only();
create or replace trigger stamp_picture_append_only before update on stamp_picture
  for each row execute function append_only();
-- Pictures of custody go with a seal that was never used.
create trigger stamp_picture_kept before delete on stamp_picture
  for each row when (old.custody_id is null or pg_trigger_depth() = 0) execute function append_only();
drop function stamp_use_is_final();

create or replace trigger supervise_plan_append_only before update or delete on supervise_plan
  for each row execute function append_only();
create or replace trigger supervise_opinion_append_only before update or delete on supervise_opinion
  for each row execute function append_only();
create or replace trigger supervise_plan_no_truncate before truncate on supervise_plan
  for each statement execute function append_only();
create or replace trigger supervise_opinion_no_truncate before truncate on supervise_opinion
  for each statement execute function append_only();
create or replace trigger supervise_progress_no_truncate before truncate on supervise_progress
  for each statement execute function append_only();
create or replace trigger supervise_sheet_no_truncate before truncate on supervise_sheet
  for each statement execute function append_only();
