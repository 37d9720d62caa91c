-- The log of probes is partitioned by day: a day is dropped whole when its time is over. Its number is the second it was written in, times
-- 2^20, plus a running number, so that the number alone leads to its partition.
create sequence test_log_serial cycle maxvalue 1048575 minvalue 0;
create table test_log (
  id bigint not null,
  time timestamptz not null,
  project_id integer not null,
  status smallint not null,
  ms integer not null,
  http_code smallint,
  msg varchar(200),
  important boolean not null default false,
  remark varchar(200),
  ignored boolean not null default false,
  is_deleted boolean not null default false,
  changed_by integer references app_user (id),
  primary key (time, id)
) partition by range (time);
create index test_log_project on test_log (project_id, time);

-- Makes the partitions of some days, by the calendar of Beijing; says nothing where they are there.
create function monitor_log_days(first date, last date) returns void language plpgsql as $$
declare
  day date;
begin
  perform pg_advisory_xact_lock(hashtextextended('monitor_log_days', 0));
  for day in select generate_series(first, last, interval '1 day')::date loop
    execute format('create table if not exists %I partition of test_log for values from (%L) to (%L)',
      'test_log_' || to_char(day, 'YYYYMMDD'), day::text || ' 00:00:00+08', (day + 1)::text || ' 00:00:00+08');
  end loop;
end $$;

-- Drops whole days before one; answers how many.
create function monitor_log_drop(before date) returns integer language plpgsql as $$
declare
  part text;
  dropped integer := 0;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'test_log'::regclass and c.relname < 'test_log_' || to_char(before, 'YYYYMMDD')
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
select monitor_log_days(current_date - 1, current_date + 3);

alter table monitor_due set (fillfactor = 50);
alter table monitor_state set (fillfactor = 50);

create trigger test_record_event_append_only before update or delete on test_record_event
  for each row execute function append_only();
create trigger test_record_event_no_truncate before truncate on test_record_event
  for each statement execute function append_only();

-- Ends what is under way of monitors that are switched off, whose settings changed, or whose project ended: a lease that is out is nobody's any
-- more, the incident is closed, what was not told yet is not told.
create function monitor_end(projects integer[]) returns void language plpgsql as $$
begin
  perform from monitor_due where project_id = any(projects) order by project_id for update;
  update monitor_due set lease_until = null, lease_no = lease_no + 1, avoid_node = null, next_at = now() where project_id = any(projects);
  update monitor_state s set status = 9, since = now(), kept = default where project_id = any(projects);
  with closed as (
    update test_record set end_time = greatest(start_time, now()), state = 1, gmt_modified = now(), version = version + 1
    where project_id = any(projects) and end_time is null returning id)
  insert into test_record_event (record_id, type, text) select id, 'stopped', '停止监测' from closed;
  update monitor_alert set told_at = coalesce(told_at, now()), sent_at = now() where project_id = any(projects) and sent_at is null;
end $$;

create function monitor_project_ended() returns trigger language plpgsql as $$
begin
  update monitor set enabled = false, version = version + 1, gmt_modified = now() where project_id = new.id and enabled;
  if found then perform monitor_end(array[new.id]); end if;
  return null;
end $$;
create trigger monitor_project_ended after update of is_deleted, status on customer_project
  for each row when (new.is_deleted or new.status in (3, 4)) execute function monitor_project_ended();
