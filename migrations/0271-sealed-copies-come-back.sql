-- What was taken back of sealed copies is only ever added to, and is never more than was sealed.
create trigger stamp_recall_append_only before update or delete on stamp_recall for each row execute function append_only();
create trigger stamp_recall_no_truncate before truncate on stamp_recall for each statement execute function append_only();
create function stamp_recall_fits() returns trigger language plpgsql as $$
begin
  -- Of two that are taken back at once the second waits for the first.
  perform from stamp_application where id = new.application_id for no key update;
  if (select sum(r.copies) from stamp_recall r where r.application_id = new.application_id)
    > (select coalesce(max(coalesce(better.real_copies, used.real_copies)), 0) from stamp_use used
      left join stamp_use better on better.corrects_id = used.id
      where used.corrects_id is null and used.application_id = new.application_id) then
    raise exception 'more copies of application % come back than were sealed', new.application_id;
  end if;
  return null;
end $$;
create constraint trigger stamp_recall_fits after insert on stamp_recall deferrable initially deferred
  for each row execute function stamp_recall_fits();
