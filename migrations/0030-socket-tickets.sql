-- Sessions are kept by a module above messages, so their key stands here (decision 0007).
alter table socket_ticket add constraint socket_ticket_session_id_session_id_fk
  foreign key (session_id) references session (id) on delete cascade;
