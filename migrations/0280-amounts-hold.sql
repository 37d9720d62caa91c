-- What a contract is agreed to be about holds what was registered on it, and the cap of a framework what was registered below it, whoever writes
-- either. What is registered is asked about by contract_entries_within.
create function contract_amount_within() returns trigger language plpgsql as $$
declare
  now_is contract;
  done numeric;
begin
  select * into now_is from contract where id = new.id;
  if now_is.id is null or now_is.pay_direction = 3 then return null; end if;
  select coalesce(sum(p.done_amount), 0) into done from contract_performance p join contract c on c.id = p.contract_id
    where (c.id = now_is.id or (now_is.nature = 2 and c.parent_id = now_is.id and c.nature = 1)) and p.kind = now_is.pay_direction and not p.settlement;
  if done > (case when now_is.nature = 2 then coalesce(now_is.amount_cap, done) else now_is.amount - now_is.reduced end) then
    raise exception 'contract % is about less than was registered', new.id using constraint = 'contract_amount_within', errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger contract_amount_within after update on contract deferrable initially deferred for each row
  when ((old.amount, old.reduced, old.amount_cap) is distinct from (new.amount, new.reduced, new.amount_cap)) execute function contract_amount_within();
