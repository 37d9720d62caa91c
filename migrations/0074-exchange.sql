-- Who signed for a paper stands as it was entered, and so does what went back; a row that nobody has signed for yet is put right or taken out.
create function exchange_stands() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' or old.returned_on is not null then
    raise exception 'document_exchange: what went back stands' using errcode = 'check_violation';
  end if;
  if old.signed_on is not null and (tg_op = 'DELETE' or
    (to_jsonb(new) - array['returned_on', 'return_reason', 'gmt_modified', 'version'])
      <> (to_jsonb(old) - array['returned_on', 'return_reason', 'gmt_modified', 'version'])) then
    raise exception 'document_exchange: what was signed for stands' using errcode = 'check_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger document_exchange_stands before update or delete on document_exchange
  for each row execute function exchange_stands();
create trigger document_exchange_no_truncate before truncate on document_exchange
  for each statement execute function exchange_stands();
create trigger document_exchange_dept_id_is_there before insert or update of dept_id on document_exchange
  for each row execute function dept_is_there('dept_id');
