-- The unified social credit code by GB 32100: 17 characters and one to check them, modulo 31.
create or replace function credit_code_holds(code text) returns boolean language plpgsql immutable as $$
declare
  letters constant text := '0123456789ABCDEFGHJKLMNPQRTUWXY';
  total int := 0;
  weight int := 1;
begin
  if code !~ '^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$' then
    return false;
  end if;
  for at in 1..17 loop
    total := total + (strpos(letters, substr(code, at, 1)) - 1) * weight;
    weight := weight * 3 % 31;
  end loop;
  return substr(letters, (31 - total % 31) % 31 + 1, 1) = substr(code, 18, 1);
end $$;
alter table customer add constraint customer_credit_code_holds check (credit_code = '' or credit_code_holds(credit_code));

-- Nobody deletes a customer with projects or contacts, whoever adds one at the same moment.
create or replace function customer_is_free() returns trigger language plpgsql as $$
begin
  if exists (select from customer_project where customer_id = new.id and not is_deleted)
    or exists (select from customer_contact where customer_id = new.id and not is_deleted) then
    raise exception 'customer % is not free', new.id using errcode = '23503', constraint = 'customer_is_free';
  end if;
  return new;
end $$;
create trigger customer_is_free before update of is_deleted on customer
  for each row when (new.is_deleted and not old.is_deleted) execute function customer_is_free();

-- When a customer was last met follows from its visits.
create or replace function customer_was_met() returns trigger language plpgsql as $$
declare
  met int := coalesce(new.customer_id, old.customer_id);
begin
  -- Whoever notes another visit waits here and counts this one too.
  perform from customer where id = met for no key update;
  update customer set last_contact_at = (select max(visited_at) from customer_visit where customer_id = met) where id = met;
  return null;
end $$;
create trigger customer_was_met after insert or update or delete on customer_visit
  for each row execute function customer_was_met();

-- What was noted of a visit is its author's for a day, and stands after it.
create or replace function customer_visit_stands() returns trigger language plpgsql as $$
begin
  if old.gmt_created < now() - interval '24 hours' then
    raise exception 'visit % stands', old.id;
  end if;
  return coalesce(new, old);
end $$;
create trigger customer_visit_stands before update or delete on customer_visit
  for each row execute function customer_visit_stands();
