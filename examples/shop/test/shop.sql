-- The shop as the tests find it: they run this file before each of them.
drop table if exists events, products;

create table products (
  id int primary key,
  name text not null,
  price numeric(10, 2) not null,
  stock int not null check (stock >= 0)
);

create table events (
  id bigint generated always as identity primary key,
  product int not null references products,
  at timestamptz not null,
  what text not null
);

create or replace function tell_of_products() returns trigger language plpgsql as $$
begin
  perform pg_notify('products', '');
  return null;
end
$$;

create trigger tell_of_products after insert or update or delete on products
for each statement execute function tell_of_products();

insert into products values (1, 'Green tea', 4.50, 20), (2, 'Black tea', 3.20, 0), (3, 'Coffee', 7.90, 5);
insert into events (product, at, what) values
  (2, '2026-01-10 09:00Z', 'delivery of 10'),
  (2, '2026-01-12 17:30Z', 'sold out');
