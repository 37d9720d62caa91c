-- What was signed, registered or numbered stands, whoever writes it and however; and what is registered never passes what was agreed.

create or replace function contract_is_final() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger contract_entry_append_only before update or delete on contract_entry
  for each row execute function contract_is_final();
create trigger contract_entry_no_truncate before truncate on contract_entry
  for each statement execute function contract_is_final();
create trigger contract_event_append_only before update or delete on contract_event
  for each row execute function contract_is_final();
create trigger contract_event_no_truncate before truncate on contract_event
  for each statement execute function contract_is_final();
create trigger contract_number_kept before delete on contract_number
  for each row execute function contract_is_final();
create trigger contract_number_no_truncate before truncate on contract_number
  for each statement execute function contract_is_final();

create or replace function contract_number_stands() returns trigger language plpgsql as $$
begin
  if (new.contract_id, new.year, new.seq, new.contract_no) is distinct from (old.contract_id, old.year, old.seq, old.contract_no)
    or old.state = 3 then
    raise exception 'contract_number % stands', old.contract_no;
  end if;
  return new;
end $$;
create trigger contract_number_stands before update on contract_number
  for each row execute function contract_number_stands();

-- Terms of one contract follow each other.
create extension if not exists btree_gist;
alter table contract_term add constraint contract_term_apart
  exclude using gist (contract_id with =, daterange(start_date, end_date, '[]') with &&);

-- Whether this very transaction registered a change of a contract.
create or replace function contract_is_changing(contract int) returns boolean language sql stable as $$
  select exists (select from contract_event e
      join contract s on s.id = e.supplement_id and s.parent_id = contract and s.stage = 30
    where e.id = nullif(current_setting('contracts.change', true), '')::int and e.contract_id = contract and e.type = 'change' and e.at = now())
$$;

create or replace function contract_signed_stands() returns trigger language plpgsql as $$
begin
  if old.stage >= 30 and old.stage <> 90
    and (new.amount, new.amount_cap, new.currency, new.sign_date, new.signed_file_id, new.end_date, new.party_words, new.nature, new.parent_id,
      new.pay_direction)
      is distinct from
      (old.amount, old.amount_cap, old.currency, old.sign_date, old.signed_file_id, old.end_date, old.party_words, old.nature, old.parent_id,
      old.pay_direction)
    and not contract_is_changing(old.id) then
    raise exception 'contract % is signed', old.id;
  end if;
  if new.text_version <> old.text_version and old.act_state not in (0, 2, 3) then
    raise exception 'the text of contract % is being decided', old.id;
  end if;
  return new;
end $$;
create trigger contract_signed_stands before update on contract
  for each row execute function contract_signed_stands();

create or replace function contract_side_stands() returns trigger language plpgsql as $$
declare
  side contract_side := coalesce(new, old);
begin
  -- A party that was found to be another is named by that; what was signed reads as it did.
  if tg_op = 'UPDATE' and to_jsonb(new) - 'party_id' = to_jsonb(old) - 'party_id' then return new; end if;
  if exists (select from contract c where c.id = side.contract_id and c.stage >= 30 and c.stage <> 90)
    and not contract_is_changing(side.contract_id) then
    raise exception 'the sides of contract % are signed', side.contract_id;
  end if;
  return side;
end $$;
create trigger contract_side_stands before insert or update or delete on contract_side
  for each row execute function contract_side_stands();

create or replace function contract_parent_fits() returns trigger language plpgsql as $$
declare
  above smallint;
begin
  if new.parent_id is null then return new; end if;
  select nature into above from contract where id = new.parent_id;
  if above = 3 or (new.nature <> 3 and above <> 2) or new.nature = 2 then
    raise exception 'contract % does not go below %', new.id, new.parent_id;
  end if;
  return new;
end $$;
create trigger contract_parent_fits before insert or update of nature, parent_id on contract
  for each row execute function contract_parent_fits();

-- What was paid, or came in, less what was reversed, within the amount, and of a framework with its calls within its cap; invoices likewise.
-- Asked of what is registered anew, each kind by itself: an amount that was cut afterwards, and what takes another back, is no fault of what
-- follows. Asked at the end of a transaction, behind a lock of the contract, so that of two payments at once the second sees the first.
create or replace function contract_entries_within() returns trigger language plpgsql as $$
declare
  of contract;
  top contract;
  what smallint;
  done numeric;
begin
  select p.kind into what from contract_performance p where p.id = new.performance_id;
  if new.reverses_id is not null or what not in (1, 2, 6) then return null; end if;
  select * into of from contract where id = new.contract_id for no key update;
  if what = 6 then
    select coalesce(sum(p.done_amount), 0) into done from contract_performance p where p.contract_id = of.id and p.kind = 6;
    if of.pay_direction <> 3 and done > (case when of.nature = 2 then coalesce(of.amount_cap, done) else of.amount - of.reduced end) then
      raise exception 'invoices of contract % pass its amount', of.id using constraint = 'contract_entries_within', errcode = '23514';
    end if;
    return null;
  end if;
  select coalesce(sum(p.done_amount), 0) into done from contract_performance p
    where p.contract_id = of.id and p.kind = of.pay_direction and not p.settlement;
  if of.nature <> 2 and done > of.amount - of.reduced then
    raise exception 'entries of contract % pass its amount', of.id using constraint = 'contract_entries_within', errcode = '23514';
  end if;
  select * into top from contract where id = case when of.nature = 2 then of.id when of.nature = 1 then of.parent_id end for no key update;
  if top.amount_cap is not null then
    select coalesce(sum(p.done_amount), 0) into done from contract_performance p join contract c on c.id = p.contract_id
      where (c.id = top.id or (c.parent_id = top.id and c.nature = 1)) and p.kind = top.pay_direction and not p.settlement;
    if done > top.amount_cap then
      raise exception 'entries below framework % pass its cap', top.id using constraint = 'contract_entries_within', errcode = '23514';
    end if;
  end if;
  return null;
end $$;
create constraint trigger contract_entries_within after insert on contract_entry
  deferrable initially deferred for each row execute function contract_entries_within();

-- What the entries of a row come to: how much, how many, how many of them hold, and how many of those were accepted.
create or replace function contract_entries_of(row_id int, out done numeric, out entries int, out holding int, out accepted int)
language sql stable as $$
  select coalesce(sum(e.amount), 0), count(*)::int, (count(*) filter (where e.holds))::int,
    (count(*) filter (where e.holds and e.accept_result is distinct from 2))::int
  from (select amount, accept_result,
      reverses_id is null and not exists (select from contract_entry r where r.reverses_id = c.id) as holds
    from contract_entry c where c.performance_id = row_id) e
$$;

-- Sums stand where they are asked for.
create or replace function contract_entry_counts() returns trigger language plpgsql as $$
declare
  row contract_performance;
  sums record;
begin
  select * into sums from contract_entries_of(new.performance_id);
  update contract_performance set done_amount = sums.done, entries = sums.entries, holding = sums.holding, accepted = sums.accepted
    where id = new.performance_id returning * into row;
  -- What comes back is no payment: it is taken off, and stands by itself.
  update contract set paid = paid + case when pay_direction = row.kind then new.amount else -new.amount end,
      refunded = refunded + case when pay_direction = row.kind then 0 else new.amount end
    where id = new.contract_id and row.kind in (1, 2) and pay_direction <> 3 and new.amount is not null;
  return null;
end $$;
create trigger contract_entry_counts after insert on contract_entry
  for each row execute function contract_entry_counts();

-- A dispute is of one contract and ends once; a contract knows how many of its own are open.
create or replace function contract_event_counts() returns trigger language plpgsql as $$
begin
  if new.type = 'dispute_end' and not exists (select from contract_event e
    where e.id = new.dispute_id and e.contract_id = new.contract_id and e.type = 'dispute') then
    raise exception 'contract % has no dispute %', new.contract_id, new.dispute_id;
  end if;
  update contract set open_disputes = open_disputes + case new.type when 'dispute' then 1 else -1 end where id = new.contract_id;
  return null;
end $$;
create trigger contract_event_counts after insert on contract_event
  for each row when (new.type in ('dispute', 'dispute_end')) execute function contract_event_counts();

create or replace function contract_term_counts() returns trigger language plpgsql as $$
begin
  update contract c set (term_no, term_end) =
    (select t.no, t.end_date from contract_term t where t.contract_id = c.id order by t.no desc limit 1)
    where c.id = coalesce(new.contract_id, old.contract_id);
  return null;
end $$;
create trigger contract_term_counts after insert or update or delete on contract_term
  for each row execute function contract_term_counts();

create or replace function contract_ends_as_written() returns trigger language plpgsql as $$
begin
  if new.term_no is null then new.term_end := new.end_date; end if;
  return new;
end $$;
create trigger contract_ends_as_written before insert or update on contract
  for each row execute function contract_ends_as_written();
