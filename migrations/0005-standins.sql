create or replace function workflow_reach(ids integer[]) returns int4multirange language sql immutable as $$
  select case when ids is null then '{(,)}'::int4multirange
    else (select range_agg(int4range(id, id, '[]')) from unnest(ids) as id) end
$$;
alter table stand_in add constraint stand_in_no_overlap exclude using gist (
  int4range(from_id, from_id, '[]') with &&,
  workflow_reach(workflow_ids) with &&,
  tstzrange(starts_at, ends_at) with &&
) where (ended_at is null);
