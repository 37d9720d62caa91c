-- How a request ended follows its ticket, whoever writes it: that a record was refused, that a document was approved, and that either is void.

-- A ticket was refused for good: it is closed at an end of a workflow that asks nobody to confirm the end, and nobody took it back.
create function ticket_is_refused(t ticket) returns boolean language sql stable as $$
  select t.act_state = 5 and not t.is_void and exists (select from workflow_version v where v.id = t.version_id
    and v.definition @> jsonb_build_object('states', jsonb_build_array(jsonb_build_object('id', t.state_id, 'kind', 'end')))
    and not exists (select from jsonb_array_elements(v.definition -> 'states') s
      where s #>> '{label,finish}' = 'confirm' and s ->> 'kind' in ('approve', 'handle', 'subticket')))
$$;
-- At the end of each transaction a record is refused as its ticket is; one without a ticket is not.
create function record_refusal_follows() returns trigger language plpgsql as $$
declare
  fits boolean;
begin
  execute format('select r.is_refused = coalesce((select ticket_is_refused(t) from ticket t where t.id = r.ticket_id), false)
      from %I r where r.id = $1', tg_table_name) into fits using new.id;
  if not fits then
    raise exception 'whether % % is refused is not that of its ticket', tg_table_name, new.id;
  end if;
  return null;
end $$;
create function ticket_refusal_moves_record() returns trigger language plpgsql as $$
declare
  left_behind boolean;
begin
  execute format('select exists (select from %I r join ticket t on t.id = r.ticket_id where t.id = $1 and r.is_refused <> ticket_is_refused(t))',
    tg_argv[0]) into left_behind using new.id;
  if left_behind then
    raise exception 'ticket % was refused without its record', new.id;
  end if;
  return null;
end $$;

do $$
declare
  kind record;
begin
  for kind in select * from (values
    ('activity', 'activities'), ('activity_change', 'activity_changes'), ('contract', 'contracts'), ('document', 'documents'),
    ('folder_paper', 'folders'), ('leader_schedule', 'leaders'), ('meet', 'meetings'), ('meet_change', 'meeting_changes'),
    ('repair_order', 'orders'), ('stamp_application', 'stamps')
  ) all_of (name, module) loop
    execute format('create constraint trigger record_refusal_begins after insert on %I deferrable initially deferred for each row
      when (new.is_refused) execute function record_refusal_follows()', kind.name);
    execute format('create constraint trigger record_refusal_follows after update on %I deferrable initially deferred for each row
      when ((old.is_refused, old.act_state, old.ticket_id) is distinct from (new.is_refused, new.act_state, new.ticket_id))
      execute function record_refusal_follows()', kind.name);
    execute format('create constraint trigger %I after update on ticket deferrable initially deferred for each row
      when (5 in (old.act_state, new.act_state) and new.biz_module = %L
        and (old.act_state, old.state_id, old.version_id, old.is_void) is distinct from (new.act_state, new.state_id, new.version_id, new.is_void))
      execute function ticket_refusal_moves_record(%L)', 'ticket_refuses_' || kind.name, kind.module, kind.name);
  end loop;
end $$;

-- A document is approved from the end of its ticket on, and void as its ticket is.
create function document_outcome_follows() returns trigger language plpgsql as $$
declare
  fits boolean;
begin
  select d.is_void = coalesce((select t.is_void from ticket t where t.id = d.ticket_id), false)
      and (d.act_state = 5 or d.approved = (d.act_state in (4, 6)))
    into fits from document d where d.id = new.id;
  if not fits then
    raise exception 'document % is not approved or void as its ticket is', new.id;
  end if;
  return null;
end $$;
create constraint trigger document_outcome_begins after insert on document deferrable initially deferred for each row
  when (new.approved or new.is_void) execute function document_outcome_follows();
create constraint trigger document_outcome_follows after update on document deferrable initially deferred for each row
  when ((old.approved, old.is_void, old.act_state, old.ticket_id) is distinct from (new.approved, new.is_void, new.act_state, new.ticket_id))
  execute function document_outcome_follows();
-- A closed one stays what it was: approved before it was taken back, or given up on its way.
create function document_outcome_stands() returns trigger language plpgsql as $$
begin
  raise exception 'document % is closed, and not approved or void as its ticket is', new.id;
end $$;
create trigger document_outcome_stands before update on document for each row
  when (new.act_state = 5 and old.approved <> new.approved) execute function document_outcome_stands();

-- A ticket is void as its log says, and its document with it.
create function ticket_void_follows() returns trigger language plpgsql as $$
begin
  if exists (select from ticket t where t.id = new.id
    and t.is_void <> exists (select from ticket_log l where l.ticket_id = t.id and l.events @> '[{"type": "voided"}]')) then
    raise exception 'ticket % is not void as its log says', new.id;
  end if;
  if exists (select from document d join ticket t on t.id = d.ticket_id where t.id = new.id and d.is_void <> t.is_void) then
    raise exception 'ticket % became void without its document', new.id;
  end if;
  return null;
end $$;
create constraint trigger ticket_void_begins after insert on ticket deferrable initially deferred for each row
  when (new.is_void) execute function ticket_void_follows();
create constraint trigger ticket_void_follows after update on ticket deferrable initially deferred for each row
  when (old.is_void <> new.is_void) execute function ticket_void_follows();
