-- The words of a contract as its approvers saw them stand for good; those of a template from the first contract on that was written from them.

create or replace function contract_text_is_final() returns trigger language plpgsql as $$
begin
  -- A draft that is deleted takes its texts along.
  if tg_op = 'DELETE' and not exists (select from contract where id = old.contract_id) then return old; end if;
  raise exception 'contract_text is append-only';
end $$;
create trigger contract_text_append_only before update or delete on contract_text
  for each row execute function contract_text_is_final();
create trigger contract_text_no_truncate before truncate on contract_text
  for each statement execute function contract_text_is_final();

create or replace function contract_template_version_is_final() returns trigger language plpgsql as $$
begin
  if exists (select from contract where template_version_id = old.id) then
    raise exception 'contract_template_version % is used', old.id;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger contract_template_version_used before update or delete on contract_template_version
  for each row execute function contract_template_version_is_final();
