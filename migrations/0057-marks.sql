-- A stroke of a pen stands as it was drawn, on a page that its paper has; it may be taken back, never changed. The paper stays what it was.
create function stroke_on_its_paper() returns trigger language plpgsql as $$
begin
  if not exists (select from document_marked_paper where id = new.paper_id and new.page between 1 and pages) then
    raise exception 'document_stroke: page % is none of its paper', new.page using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger document_stroke_page before insert on document_stroke
  for each row execute function stroke_on_its_paper();
create trigger document_stroke_stays before update on document_stroke
  for each row execute function append_only();
create trigger document_marked_paper_stays before update on document_marked_paper
  for each row execute function append_only();
