-- What decides follows what it was decided by, whoever writes it: a record its ticket, a part under supervision its reports, a letter the
-- book of numbers, a half day of a seal its lines.

-- A record stands as its ticket does, at the end of each transaction. What has none stands as the second argument of the trigger allows.
create function record_follows_ticket() returns trigger language plpgsql as $$
declare
  fits boolean;
begin
  execute format('select case when r.ticket_id is null then %s else exists (select from ticket t where t.id = r.ticket_id
      and t.act_state = r.act_state and (t.biz_module, t.biz_id) = ($2, r.id)) end from %I r where r.id = $1', tg_argv[1], tg_table_name)
    into fits using new.id, tg_argv[0];
  if not fits then
    raise exception 'state of % % is not that of its ticket', tg_table_name, new.id;
  end if;
  return null;
end $$;
-- No ticket moves without the record that it decides.
create function ticket_moves_record() returns trigger language plpgsql as $$
declare
  left_behind boolean;
begin
  execute format('select exists (select from %I r join ticket t on t.id = r.ticket_id where t.id = $1 and t.act_state <> r.act_state)', tg_argv[0])
    into left_behind using new.id;
  if left_behind then
    raise exception 'ticket % moved without its record', new.id;
  end if;
  return null;
end $$;

do $$
declare
  kind record;
begin
  for kind in select * from (values
    ('activity', 'activities', 'r.act_state = 0'),
    ('activity_change', 'activity_changes', 'r.act_state = 0'),
    -- Brought in from a sheet it was agreed to before it was here.
    ('contract', 'contracts', 'r.act_state = case when r.imported then 4 else 0 end'),
    ('document', 'documents', 'r.act_state = 0'),
    ('folder_paper', 'folders', 'r.act_state = 0'),
    -- What follows a record of another module is asked of nobody.
    ('leader_schedule', 'leaders', 'r.act_state = case when r.source_id is null then 0 else 4 end'),
    -- The dates of a series stand as the one that was asked for; while its end is asked for they stay agreed to.
    ('meet', 'meetings', 'r.act_state = 0 or exists (select from meet o where o.series_id = r.series_id and o.ticket_id is not null
      and (o.act_state = r.act_state or (o.act_state, r.act_state) = (6, 4)))'),
    ('meet_change', 'meeting_changes', 'r.act_state = 0'),
    -- A visitor's waits for the desk, and may end there; what was done before it was here comes in as such.
    ('repair_order', 'orders', 'r.act_state = 0 or r.act_state = any(case r.source when 5 then ''{1,5}'' else ''{4}'' end::smallint[])'),
    ('stamp_application', 'stamps', 'r.act_state = 0')
  ) all_of (name, module, without_ticket) loop
    execute format('create constraint trigger record_begins_with_ticket after insert on %I deferrable initially deferred for each row
      when (new.act_state <> 0 or new.ticket_id is not null) execute function record_follows_ticket(%L, %L)', kind.name, kind.module, kind.without_ticket);
    execute format('create constraint trigger record_follows_ticket after update on %I deferrable initially deferred for each row
      when ((old.act_state, old.ticket_id) is distinct from (new.act_state, new.ticket_id)) execute function record_follows_ticket(%L, %L)',
      kind.name, kind.module, kind.without_ticket);
    execute format('create constraint trigger %I after update on ticket deferrable initially deferred for each row
      when (old.act_state <> new.act_state and new.biz_module = %L) execute function ticket_moves_record(%L)',
      'ticket_moves_' || kind.name, kind.module, kind.name);
  end loop;
end $$;

-- The percent of a part is that of its last report that was accepted; given back for that, it is what was accepted before. What was reported
-- is that of the report that waits.
create function supervise_part_follows() returns trigger language plpgsql as $$
declare
  part int := case when tg_table_name = 'supervise_sub' then (to_jsonb(new) ->> 'id')::int else (to_jsonb(new) ->> 'sub_id')::int end;
  fits boolean;
begin
  select s.progress = made.percent and (s.status = 5 or s.reported = coalesce(waiting.percent, made.percent)) into fits
    from supervise_sub s
    left join lateral (select p.percent from supervise_progress p where p.sub_id = s.id and p.check_state = 0) waiting on true
    left join lateral (select p.percent, p.before, p.is_finish from supervise_progress p
      where p.sub_id = s.id and p.check_state = 1 order by p.id desc limit 1) last on true
    cross join lateral (select coalesce(case when last.is_finish and s.status <> 3 then least(99, last.before) else last.percent end, 0) as percent) made
    where s.id = part;
  if not fits then
    raise exception 'the percent of part % is not what was accepted of it', part;
  end if;
  return null;
end $$;
create constraint trigger supervise_part_begins after insert on supervise_sub deferrable initially deferred for each row
  when ((new.progress, new.reported) is distinct from (0::smallint, 0::smallint)) execute function supervise_part_follows();
create constraint trigger supervise_part_follows after update on supervise_sub deferrable initially deferred for each row
  when ((old.progress, old.reported, old.status) is distinct from (new.progress, new.reported, new.status)) execute function supervise_part_follows();
create constraint trigger supervise_report_follows after insert or update on supervise_progress deferrable initially deferred for each row
  execute function supervise_part_follows();
-- A report waits for its check before it has one.
create function supervise_report_begins() returns trigger language plpgsql as $$
begin
  raise exception 'a report on part % begins unchecked', new.sub_id;
end $$;
create trigger supervise_report_begins before insert on supervise_progress for each row
  when (new.check_state <> 0) execute function supervise_report_begins();

-- What is written of a number in the book.
create function number_text(rule int, year smallint, seq int) returns text language sql stable as $$
  select case r.style when 2 then '第' || seq || '号' else r.agency_code || '〔' || year || '〕' || seq || '号' end
  from number_rule r where r.id = rule
$$;
-- A letter has the number that the book gave it, from the first one on, and keeps it.
create or replace function document_number_stands() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.doc_number <> '' and new.doc_number <> old.doc_number or not exists (
    select from number_book b where b.document_id = new.id and b.state = 1 and number_text(b.rule_id, b.year, b.seq) = new.doc_number) then
    raise exception 'document % keeps the number that the book gave it', new.id;
  end if;
  return new;
end $$;
drop trigger document_number_stands on document;
create trigger document_number_stands before update of doc_number, doc_kind on document for each row
  when (1 in (old.doc_kind, new.doc_kind) and (old.doc_number, old.doc_kind) is distinct from (new.doc_number, new.doc_kind)
    and (old.doc_number <> '' or new.doc_number <> '')) execute function document_number_stands();
create trigger document_number_begins before insert on document for each row
  when (new.doc_kind = 1 and new.doc_number <> '') execute function document_number_stands();

-- A number is given, kept back or entered; one that was kept back is given once, and any is void for good. Nothing else of it changes.
create function number_book_stands() returns trigger language plpgsql as $$
declare
  later constant text[] := array['state', 'document_id', 'reason', 'voided_by', 'voided_at'];
begin
  if tg_op = 'INSERT' then
    if new.state <> 3 and (new.state = 1) = (new.document_id is not null) then return new; end if;
  elsif tg_op = 'UPDATE' and to_jsonb(new) - later = to_jsonb(old) - later and (
    old.state = 2 and new.state = 1 and old.document_id is null and new.document_id is not null and new.reason = old.reason
    or old.state <> 3 and new.state = 3 and new.document_id is not distinct from old.document_id) then
    return new;
  end if;
  raise exception 'number % of rule % in % stands as it was written in the book',
    coalesce(new.seq, old.seq), coalesce(new.rule_id, old.rule_id), coalesce(new.year, old.year);
end $$;
create trigger number_book_stands before insert or update or delete on number_book for each row execute function number_book_stands();
create trigger number_book_no_truncate before truncate on number_book for each statement execute function append_only();
-- Whoever is given a number bears it; of whoever bears one it is void with the document alone.
create function number_book_is_borne() returns trigger language plpgsql as $$
begin
  if exists (select from number_book b join document d on d.id = b.document_id where b.id = new.id and case b.state
    when 1 then d.doc_number <> number_text(b.rule_id, b.year, b.seq)
    else not (d.is_deleted or d.is_void or d.act_state = 5 and not d.approved) end) then
    raise exception 'number % of rule % in % is not as its document has it', new.seq, new.rule_id, new.year;
  end if;
  return null;
end $$;
create constraint trigger number_book_is_borne after insert or update on number_book deferrable initially deferred for each row
  when (new.document_id is not null) execute function number_book_is_borne();

-- What files take up is counted from them, and no row of it goes.
create trigger file_usage_kept before delete on file_usage for each row when (pg_trigger_depth() = 0) execute function kept_by_trigger('bytes');
create trigger file_usage_owner_kept before update of id on file_usage for each row
  when (old.id <> new.id) execute function kept_by_trigger('id');

-- So many places of a half day are taken as lines have one, whichever of the two comes or goes.
create or replace function stamp_slot_counts() returns trigger language plpgsql as $$
declare
  line record;
begin
  -- Of a line both the place that it had and the one that it has.
  for line in select stamp_id, day, part from jsonb_to_recordset(jsonb_build_array(coalesce(to_jsonb(old), '{}'), coalesce(to_jsonb(new), '{}'))) each (stamp_id int, day date, part smallint)
    where day is not null loop
    if coalesce((select s.taken from stamp_slot s where s.stamp_id = line.stamp_id and s.day = line.day and s.part = line.part), 0)
      <> (select count(*) from stamp_line l join stamp_application a on a.id = l.application_id and a.use_type = 1
        where l.stamp_id = line.stamp_id and l.day = line.day and l.part = line.part and l.reserved) then
      raise exception 'places of seal % on % are not those that lines have', line.stamp_id, line.day;
    end if;
  end loop;
  return null;
end $$;
create constraint trigger stamp_slot_goes after delete on stamp_slot deferrable initially deferred for each row
  when (old.taken > 0) execute function stamp_slot_counts();
create constraint trigger stamp_line_begins after insert on stamp_line deferrable initially deferred for each row
  when (new.reserved) execute function stamp_slot_counts();
create constraint trigger stamp_line_goes after delete on stamp_line deferrable initially deferred for each row
  when (old.reserved) execute function stamp_slot_counts();
-- How a seal is used stands while a place is kept for it.
create function stamp_use_stands() returns trigger language plpgsql as $$
begin
  if exists (select from stamp_line l where l.application_id = new.id and l.reserved) then
    raise exception 'application % has a place', new.id;
  end if;
  return new;
end $$;
create trigger stamp_use_stands before update of use_type on stamp_application for each row
  when (old.use_type <> new.use_type) execute function stamp_use_stands();
-- Places that were miscounted before somebody asked are counted anew.
update stamp_slot s set taken = counted.lines, capacity = greatest(s.capacity, counted.lines)
  from (select o.stamp_id, o.day, o.part, count(l.id)::int as lines from stamp_slot o
    left join (stamp_line l join stamp_application a on a.id = l.application_id and a.use_type = 1 and l.reserved)
      on (l.stamp_id, l.day, l.part) = (o.stamp_id, o.day, o.part) group by 1, 2, 3) counted
  where (s.stamp_id, s.day, s.part) = (counted.stamp_id, counted.day, counted.part) and s.taken <> counted.lines;
