-- What is given out is through, or stands where its flow lets it be read before its end.
create function dist_only_out() returns trigger language plpgsql as $$
declare
  doc record;
begin
  -- Held until this commits: whoever takes it back meanwhile waits.
  select approved, issued, is_void into doc from document where id = new.document_id for share;
  if not (doc.issued or (doc.approved and not doc.is_void)) then
    raise exception 'document % is not out', new.document_id
      using errcode = 'check_violation', constraint = 'document_dist_only_out';
  end if;
  return new;
end $$;
create trigger document_dist_only_out before insert on document_dist
  for each row execute function dist_only_out();
