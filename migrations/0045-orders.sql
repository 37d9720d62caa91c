-- What was done to an order, what was used and how it was rated is only ever added to, whoever asks.
create trigger order_event_append_only before update or delete on order_event
  for each row execute function append_only();
create trigger order_event_no_truncate before truncate on order_event
  for each statement execute function append_only();
create trigger order_material_append_only before update or delete on order_material
  for each row execute function append_only();
create trigger order_material_no_truncate before truncate on order_material
  for each statement execute function append_only();
create trigger order_comment_append_only before update or delete on order_comment
  for each row execute function append_only();
create trigger order_comment_no_truncate before truncate on order_comment
  for each statement execute function append_only();

-- An order is merged into one that is open and not merged itself, once; so there is no ring.
create function order_merges() returns trigger language plpgsql as $$
begin
  if old.merged_into is not null and new.merged_into is distinct from old.merged_into then
    raise exception 'order % is merged', old.id;
  end if;
  if new.merged_into is not null and old.merged_into is null and not exists (
    select from repair_order where id = new.merged_into and id <> new.id and merged_into is null and act_state in (1, 6) and not is_deleted
  ) then
    raise exception 'order % is not open', new.merged_into;
  end if;
  return new;
end $$;
create trigger order_merges before update of merged_into on repair_order
  for each row execute function order_merges();

-- What stands on a label leads to the same place for good.
create function order_label_stands() returns trigger language plpgsql as $$
begin
  raise exception 'the label of asset % stands', old.id;
end $$;
create trigger order_label_stands before update of code on order_asset
  for each row when (old.code is distinct from new.code) execute function order_label_stands();
