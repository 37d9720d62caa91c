-- What was sealed of a document is only ever added to.

create or replace function document_seal_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'document_seal is append-only';
end $$;
create trigger document_seal_append_only before update or delete on document_seal
  for each row execute function document_seal_is_final();
create trigger document_seal_no_truncate before truncate on document_seal
  for each statement execute function document_seal_is_final();
