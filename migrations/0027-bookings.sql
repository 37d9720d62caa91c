-- One thing is not had by two at a time, whoever writes it down and however.
create extension if not exists btree_gist;
alter table booking add constraint booking_free exclude using gist (resource with =, resource_id with =, during with &&);
