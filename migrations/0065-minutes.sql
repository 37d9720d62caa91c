-- What minutes decided stands once they were published, as their text does; a later version has decisions of its own.
create or replace function meet_said_is_final() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'meet_minutes' or exists (select from meet_minutes m where m.meet_id = (to_jsonb(old) ->> 'meet_id')::int
    and m.no = (to_jsonb(old) ->> 'minutes_no')::int and m.state = 3)
    or exists (select from supervise where source_module = 'meetings' and not is_deleted
    and source_id = (to_jsonb(old) ->> 'meet_id')::int and source_key = to_jsonb(old) ->> 'no') then
    raise exception 'meeting %: what was settled stands', old.meet_id;
  end if;
  return coalesce(new, old);
end $$;
