-- Whether a message went out is the delivery's to say: the log's state follows it, here and nowhere else.
-- 4 (withdrawn) and 5 (held back, with nothing more to come) are the log's own and stay until it is handed over again.

create or replace function sms_state_of(delivery delivery) returns smallint
  language sql immutable
  return case delivery.state
    when 'sent' then 1
    when 'given_up' then 3
    when 'cancelled' then 4
    else 0
  end;

create or replace function sms_follow_delivery() returns trigger language plpgsql as $$
begin
  update sms_log set
    state = case when state = 5 and new.state = 'given_up' then 5 else sms_state_of(new) end,
    -- As it stood when the last try began: by it a channel is chosen, and one cut short by a crash was no failure.
    retry = case when new.tries > old.tries then new.failures else retry end,
    sent_at = new.sent_at,
    provider_code = coalesce(new.provider_id, ''),
    provider_msg = left(new.answer, 300)
  where delivery_id = new.id;
  return null;
end $$;

create or replace trigger sms_follow_delivery after update of state, tries, provider_id, answer on delivery
  for each row when (new.channel = 'sms') execute function sms_follow_delivery();

create or replace function sms_take_delivery() returns trigger language plpgsql as $$
declare handed delivery;
begin
  select * into handed from delivery where id = new.delivery_id;
  new.state := sms_state_of(handed);
  new.retry := handed.failures;
  new.sent_at := handed.sent_at;
  new.provider_code := coalesce(handed.provider_id, '');
  new.provider_msg := left(handed.answer, 300);
  new.receipt_time := null;
  new.receipt_asked_at := null;
  return new;
end $$;

create or replace trigger sms_take_delivery before update of delivery_id on sms_log
  for each row when (new.delivery_id is not null and new.delivery_id is distinct from old.delivery_id)
  execute function sms_take_delivery();
