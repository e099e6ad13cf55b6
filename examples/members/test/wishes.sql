-- The table of wishes, as its owner makes it. The server's own login owns nothing: for each statement it becomes member or
-- librarian, and the setting app.member says for whom.
drop table if exists wishes;
create table wishes (member text not null, book text not null, primary key (member, book));

alter table wishes enable row level security;
alter table wishes force row level security;
create policy own on wishes to member, librarian
  using (member = current_setting('app.member'))
  with check (member = current_setting('app.member'));
create policy every on wishes for select to librarian using (true);

grant select, insert on wishes to member, librarian;
