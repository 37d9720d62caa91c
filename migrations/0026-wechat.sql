-- Whoever is deleted leaves no WeChat behind: its owner may come back under another account, and binds it to that one.
create or replace function wechat_of_the_deleted() returns trigger language plpgsql as $$
begin
  delete from wechat_identity where user_id = new.id;
  return null;
end $$;
create or replace trigger app_user_leaves_wechat after update of is_deleted on app_user
  for each row when (new.is_deleted) execute function wechat_of_the_deleted();
delete from wechat_identity where user_id in (select id from app_user where is_deleted);
