-- What is kept beside the rows that it comes from follows them, whoever writes it: as the application's own role, too. Contracts have theirs in
-- 0083-contract-facts.sql.

-- Kept by a trigger of the rows that it is counted from, and by nothing else.
create function kept_by_trigger() returns trigger language plpgsql as $$
begin
  raise exception '% of % follows from the rows it is counted from', tg_argv[0], tg_table_name;
end $$;
create trigger file_usage_counted before update of bytes on file_usage for each row
  when (old.bytes is distinct from new.bytes and pg_trigger_depth() = 0) execute function kept_by_trigger('bytes');
create trigger file_usage_begins before insert on file_usage for each row
  when (new.bytes <> 0 and pg_trigger_depth() = 0) execute function kept_by_trigger('bytes');
create trigger customer_contact_counted before update of last_contact_at on customer for each row
  when (old.last_contact_at is distinct from new.last_contact_at and pg_trigger_depth() = 0) execute function kept_by_trigger('last_contact_at');
create trigger ticket_task_deletion_counted before update of ticket_deleted on ticket_task for each row
  when (old.ticket_deleted is distinct from new.ticket_deleted and pg_trigger_depth() = 0) execute function kept_by_trigger('ticket_deleted');

-- A letter has the number that the book gave it, and keeps it.
create function document_number_stands() returns trigger language plpgsql as $$
begin
  if old.doc_number <> '' or not exists (select from number_book b where b.document_id = new.id) then
    raise exception 'document % keeps the number that the book gave it', new.id;
  end if;
  return new;
end $$;
create trigger document_number_stands before update of doc_number on document for each row
  when (old.doc_kind = 1 and old.doc_number is distinct from new.doc_number) execute function document_number_stands();

-- The percent of an item under way is what its parts make of it: reckoned as a part changes, and asked at the end of each transaction.
create function supervise_percent(item int) returns smallint language sql stable as $$
  select coalesce(round(sum(weight * progress)::numeric / nullif(sum(weight), 0)), 0)::smallint
  from supervise_sub where supervise_id = item and status <> 5
$$;
create function supervise_sub_counts() returns trigger language plpgsql as $$
begin
  update supervise i set progress = supervise_percent(i.id)
    where i.id = coalesce(new.supervise_id, old.supervise_id) and i.status in (1, 2) and i.progress <> supervise_percent(i.id);
  return null;
end $$;
create trigger supervise_sub_joins after insert or delete on supervise_sub for each row execute function supervise_sub_counts();
create trigger supervise_sub_counts after update of progress, weight, status on supervise_sub for each row
  when ((old.progress, old.weight, old.status = 5) is distinct from (new.progress, new.weight, new.status = 5)) execute function supervise_sub_counts();
create function supervise_percent_follows() returns trigger language plpgsql as $$
begin
  if exists (select from supervise i where i.id = new.id and i.status in (1, 2) and i.progress <> supervise_percent(i.id)) then
    raise exception 'the percent of item % is not what its parts make of it', new.id;
  end if;
  return null;
end $$;
create constraint trigger supervise_percent_follows after update on supervise deferrable initially deferred for each row
  when (old.progress is distinct from new.progress) execute function supervise_percent_follows();

-- So many places of a half day are taken as lines have one.
create function stamp_slot_counts() returns trigger language plpgsql as $$
declare
  line record;
begin
  -- Of a line both the place that it had and the one that it has.
  for line in select stamp_id, day, part from jsonb_to_recordset(jsonb_build_array(coalesce(to_jsonb(old), '{}'), to_jsonb(new))) each (stamp_id int, day date, part smallint)
    where day is not null loop
    if exists (select from stamp_slot s where s.stamp_id = line.stamp_id and s.day = line.day and s.part = line.part
      and s.taken <> (select count(*) from stamp_line l join stamp_application a on a.id = l.application_id and a.use_type = 1
        where l.stamp_id = s.stamp_id and l.day = s.day and l.part = s.part and l.reserved)) then
      raise exception 'places of seal % on % are not those that lines have', line.stamp_id, line.day;
    end if;
  end loop;
  return null;
end $$;
create constraint trigger stamp_slot_counts after insert or update on stamp_slot deferrable initially deferred for each row
  execute function stamp_slot_counts();
create constraint trigger stamp_line_counts after update on stamp_line deferrable initially deferred for each row
  when ((old.reserved, old.day, old.part) is distinct from (new.reserved, new.day, new.part)) execute function stamp_slot_counts();
