-- What other triggers trust of contracts is reckoned here, whoever writes it: as the application's own role, too.

-- An entry is of its row's contract; what takes another back is that one, turned round.
create or replace function contract_entry_fits() returns trigger language plpgsql as $$
declare
  taken contract_entry;
begin
  if not exists (select from contract_performance p where p.id = new.performance_id and p.contract_id = new.contract_id) then
    raise exception 'entry of contract % is on a row of another', new.contract_id;
  end if;
  if new.reverses_id is null then return new; end if;
  select * into taken from contract_entry where id = new.reverses_id;
  if taken.id is null or taken.reverses_id is not null
    or (taken.contract_id, taken.performance_id, taken.amount) is distinct from (new.contract_id, new.performance_id, -new.amount) then
    raise exception 'entry % is not what is taken back', new.reverses_id;
  end if;
  return new;
end $$;
create trigger contract_entry_fits before insert on contract_entry
  for each row execute function contract_entry_fits();

-- The deposits of a contract, and whether each gives or gives back. Either side may give, each its own: what is said to go back does, and
-- so does what fits into what the rows before it leave with the other side.
create or replace function contract_deposits(contract int) returns table (id int, direction smallint, done numeric, back boolean)
language sql stable as $$
  select d.id, d.direction, d.done_amount, d.gives_back or (d.weight > 0 and d.weight <= coalesce(d.with_us, 0) * case d.direction when 1 then 1 else -1 end)
  from (select p.*, sum(p.weight * case p.direction when 2 then 1 else -1 end)
        over (order by p.plan_date, p.id rows between unbounded preceding and 1 preceding) as with_us
      from (select e.id, e.direction, e.gives_back, e.plan_date, e.done_amount,
          case when e.cancelled then e.done_amount else greatest(coalesce(e.plan_amount, 0), e.done_amount) end as weight
        from contract_performance e where e.contract_id = contract and e.kind = 5) p) d
$$;
-- What one side has of deposits that the other gave in a direction, and did not give back yet.
create or replace function contract_deposit_held(contract int, given smallint) returns numeric language sql stable as $$
  select coalesce(sum(case when d.direction = given and not d.back then d.done when d.direction <> given and d.back then -d.done else 0 end), 0)
  from contract_deposits(contract) d
$$;

-- A deposit is given back as far as it was given, and what was given back is not taken as never given.
create or replace function contract_deposit_given() returns trigger language plpgsql as $$
declare
  deposit record;
begin
  select d.direction, d.back into deposit from contract_deposits(new.contract_id) d where d.id = new.performance_id;
  if deposit is null or deposit.back = (new.reverses_id is not null) then return null; end if;
  if contract_deposit_held(new.contract_id, case when deposit.back then 3 - deposit.direction else deposit.direction end::smallint) < 0 then
    raise exception 'more deposit of contract % is returned than was given', new.contract_id
      using constraint = 'contract_deposit_given', errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger contract_deposit_given after insert on contract_entry
  deferrable initially deferred for each row execute function contract_deposit_given();

-- What a row comes to is what its entries come to; of which kind it is, and whose, stands once there is one.
create or replace function contract_performance_counts() returns trigger language plpgsql as $$
declare
  anew record;
begin
  select * into anew from contract_entries_of(new.id);
  if (new.done_amount, new.entries, new.holding, new.accepted) is distinct from (anew.done, anew.entries, anew.holding, anew.accepted) then
    raise exception 'row % of contract % is not what its entries come to', new.id, new.contract_id;
  end if;
  if tg_op = 'UPDATE' and anew.entries > 0
    and (new.contract_id, new.kind, new.direction, new.gives_back, new.settlement) is distinct from (old.contract_id, old.kind, old.direction, old.gives_back, old.settlement) then
    raise exception 'row % of contract % has entries', new.id, new.contract_id;
  end if;
  return new;
end $$;
create trigger contract_performance_counts before update on contract_performance for each row
  when ((old.done_amount, old.entries, old.holding, old.accepted, old.contract_id, old.kind, old.direction, old.gives_back, old.settlement)
    is distinct from (new.done_amount, new.entries, new.holding, new.accepted, new.contract_id, new.kind, new.direction, new.gives_back, new.settlement))
  execute function contract_performance_counts();
create trigger contract_performance_begins before insert on contract_performance for each row
  when ((new.done_amount, new.entries, new.holding, new.accepted) is distinct from (0::numeric, 0, 0, 0))
  execute function contract_performance_counts();

-- What was registered of a contract by this very transaction.
create or replace function contract_registers(contract int, types text[], stage int) returns boolean language sql stable as $$
  select exists (select from contract_event e where e.contract_id = contract and e.at = now()
    and (types is null or e.type = any (types)) and (stage is null or e.to_stage = stage))
$$;

-- Sums, stage and number of a contract follow from its rows, its registrations and its ticket, at the end of each transaction.
create or replace function contract_follows() returns trigger language plpgsql as $$
declare
  now_is contract;
  moved record;
begin
  select * into now_is from contract where id = new.id;
  if now_is.id is null then return null; end if;
  select coalesce(sum(case when p.kind = now_is.pay_direction then p.done_amount else -p.done_amount end), 0) as paid,
      coalesce(sum(p.done_amount) filter (where p.kind <> now_is.pay_direction), 0) as refunded
    into moved from contract_performance p where p.contract_id = now_is.id and p.kind in (1, 2) and now_is.pay_direction <> 3;
  if now_is.paid <> moved.paid or now_is.refunded <> moved.refunded then
    raise exception 'what was paid of contract % is not what its entries come to', new.id;
  end if;
  if now_is.open_disputes is distinct from (select count(*) filter (where type = 'dispute') - count(*) filter (where type = 'dispute_end')
    from contract_event e where e.contract_id = now_is.id) then
    raise exception 'disputes of contract % are not what was registered', new.id;
  end if;
  if (new.term_no, new.term_end) is distinct from (old.term_no, old.term_end) and now_is.term_no is not null and not exists (
    select from contract_term t where t.contract_id = now_is.id and t.no = now_is.term_no and t.end_date is not distinct from now_is.term_end
      and t.no = (select max(last.no) from contract_term last where last.contract_id = now_is.id)) then
    raise exception 'the term of contract % is not its last', new.id;
  end if;
  if new.reduced <> old.reduced and not contract_registers(new.id, array['plan', 'change'], null) then
    raise exception 'contract % owes what was agreed', new.id;
  end if;
  if new.contract_no <> old.contract_no and (old.contract_no <> ''
    or not exists (select from contract_number n where n.contract_id = new.id and n.contract_no = new.contract_no)) then
    raise exception 'contract % keeps the number it was given', new.id;
  end if;
  if new.stage <> old.stage and not (case
    -- Brought in from a sheet, it was signed before it was here.
    when old.stage = 20 and new.stage = 30 and old.imported then true
    -- Agreed to, or taken back, by its ticket.
    when old.stage in (10, 20, 90) and new.stage in (10, 20) then
      -- Of several steps of one transaction the last is asked about.
      now_is.stage <> new.stage or coalesce((select t.act_state = now_is.act_state and (t.act_state = 4) = (new.stage = 20)
        from ticket t where t.id = now_is.ticket_id), false)
    else contract_registers(new.id, null, new.stage) end) then
    raise exception 'the stage of contract % was not registered', new.id;
  end if;
  return null;
end $$;
-- A contract begins as a draft of which nothing was registered; one that comes in from a sheet, as signed elsewhere. Which it is stands.
create or replace function contract_begins() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'whether contract % came in from a sheet stands', new.id;
  end if;
  if (new.stage, new.contract_no <> '') is distinct from (case when new.imported then 20 else 10 end, new.imported)
    or (new.paid, new.refunded, new.reduced, new.open_disputes, new.term_no) is distinct from (0::numeric, 0::numeric, 0::numeric, 0::smallint, null::smallint) then
    raise exception 'contract % begins with what was not registered', new.id;
  end if;
  return new;
end $$;
create trigger contract_begins before insert on contract for each row execute function contract_begins();
create trigger contract_origin_stands before update on contract for each row
  when (old.imported is distinct from new.imported) execute function contract_begins();
create constraint trigger contract_follows after update on contract deferrable initially deferred for each row
  when ((old.paid, old.refunded, old.open_disputes, old.term_no, old.term_end, old.reduced, old.contract_no, old.stage)
    is distinct from (new.paid, new.refunded, new.open_disputes, new.term_no, new.term_end, new.reduced, new.contract_no, new.stage))
  execute function contract_follows();
