-- A service report that was confirmed stands: what was handed to a customer does not change with the figures behind it.
create function monitor_report_stands() returns trigger language plpgsql as $$
begin
  if old.state = 1 then
    raise exception 'report % of % stands', old.month, old.customer_id;
  end if;
  return coalesce(new, old);
end $$;
create trigger monitor_report_stands before update or delete on monitor_report
  for each row execute function monitor_report_stands();
