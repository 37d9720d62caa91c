-- Every row of a ticket's log is an event for other systems, whoever writes it; its place is given once it is committed.

create function ticket_log_tells() returns trigger language plpgsql as $$
begin
  insert into ticket_event (log_id) select id from written order by id;
  return null;
end $$;
create trigger ticket_log_tells after insert on ticket_log referencing new table as written
  for each statement execute function ticket_log_tells();

insert into ticket_event_head (last) values (0);

-- A place once given is never another's.
create function ticket_event_keeps_place() returns trigger language plpgsql as $$
begin
  raise exception 'an event keeps its place';
end $$;
create trigger ticket_event_keeps_place before update on ticket_event
  for each row when (old.position is not null or new.log_id <> old.log_id) execute function ticket_event_keeps_place();
