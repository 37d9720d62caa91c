-- A ticket lives a minute and may be lost with the server: writing it must not wait for the disk.
alter table socket_ticket set unlogged;
