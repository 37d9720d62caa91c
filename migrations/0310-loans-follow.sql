-- Each table of records has the same guards: it begins and moves with its ticket, is refused as its ticket is, and hangs on no deleted department.
-- A new one says so in one line, with the name of its module and the state in which a row without a ticket stands. The tables before this one have
-- the same from 0070-departments.sql, 0270-facts-follow.sql and 0281-outcomes-follow.sql.
create function guard_record(of_table text, module text, without_ticket text default 'r.act_state = 0') returns void language plpgsql as $$
begin
  execute format('create trigger %I before insert or update of dept_id on %I for each row execute function dept_is_there(''dept_id'')',
    of_table || '_dept_id_is_there', of_table);
  execute format('create constraint trigger record_begins_with_ticket after insert on %I deferrable initially deferred for each row
    when (new.act_state <> 0 or new.ticket_id is not null) execute function record_follows_ticket(%L, %L)', of_table, module, without_ticket);
  execute format('create constraint trigger record_follows_ticket after update on %I deferrable initially deferred for each row
    when ((old.act_state, old.ticket_id) is distinct from (new.act_state, new.ticket_id)) execute function record_follows_ticket(%L, %L)',
    of_table, module, without_ticket);
  execute format('create constraint trigger %I after update on ticket deferrable initially deferred for each row
    when (old.act_state <> new.act_state and new.biz_module = %L) execute function ticket_moves_record(%L)',
    'ticket_moves_' || of_table, module, of_table);
  execute format('create constraint trigger record_refusal_begins after insert on %I deferrable initially deferred for each row
    when (new.is_refused) execute function record_refusal_follows()', of_table);
  execute format('create constraint trigger record_refusal_follows after update on %I deferrable initially deferred for each row
    when ((old.is_refused, old.act_state, old.ticket_id) is distinct from (new.is_refused, new.act_state, new.ticket_id))
    execute function record_refusal_follows()', of_table);
  execute format('create constraint trigger %I after update on ticket deferrable initially deferred for each row
    when (5 in (old.act_state, new.act_state) and new.biz_module = %L
      and (old.act_state, old.state_id, old.version_id, old.is_void) is distinct from (new.act_state, new.state_id, new.version_id, new.is_void))
    execute function ticket_refusal_moves_record(%L)', 'ticket_refuses_' || of_table, module, of_table);
end $$;

select guard_record('key_loan', 'keys');

-- A key is lent to one person on each day: loans that are agreed to and whose key is not back do not overlap.
alter table key_loan add constraint key_loan_free exclude using gist (key_id with =, daterange(start_date, due_date, '[]') with &&)
  where (act_state in (4, 6) and returned_at is null);
