-- What photos count is only ever added to; what was given by mistake is taken back by a row of its own.

create or replace trigger photo_score_append_only before update or delete on photo_score
  for each row execute function append_only();
create or replace trigger photo_score_no_truncate before truncate on photo_score
  for each statement execute function append_only();
