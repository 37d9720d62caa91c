-- The files of an opinion are only ever added to, like the log they belong to.
create trigger ticket_log_file_append_only before update or delete on ticket_log_file for each row execute function append_only();
create trigger ticket_log_file_no_truncate before truncate on ticket_log_file for each statement execute function append_only();
