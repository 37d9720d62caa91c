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
