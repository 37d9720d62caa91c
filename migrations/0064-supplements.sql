-- What a supplement that was sent off says of money is what its contract is about, or nothing; its end is not before its contract's beginning.
create or replace function contract_parent_fits() returns trigger language plpgsql as $$
declare
  above contract;
begin
  if new.parent_id is null then return new; end if;
  select * into above from contract where id = new.parent_id;
  if above.nature = 3 or (new.nature <> 3 and above.nature <> 2) or new.nature = 2 then
    raise exception 'contract % does not go below %', new.id, new.parent_id;
  end if;
  if new.nature = 3 and new.act_state in (1, 4)
    and (new.pay_direction not in (3, above.pay_direction) or new.end_date < above.start_date) then
    raise exception 'supplement % does not fit contract %', new.id, new.parent_id;
  end if;
  return new;
end $$;
drop trigger contract_parent_fits on contract;
create trigger contract_parent_fits before insert or update of nature, parent_id, pay_direction, end_date, act_state on contract
  for each row execute function contract_parent_fits();
