import { labelOf } from './statement-metrics';

it.each([
  ['select id from form where id = ?', 'select form'],
  ['select 1', 'select'],
  [
    'with input as (select * from json_to_recordset(?)), stored as (insert into submission (id) select id from input) select',
    'insert into submission',
  ],
  ['insert into intake as i (form_id) values (?) on conflict (form_id) do update set accepted = 1', 'insert into intake'],
  ['select s.id from subscription s where s.id = ? for no key update of s', 'select subscription'],
  ['select id from turn for update', 'select turn'],
  ['with quick as (select 1)\n     update outbox o set publish_at = now()\n from quick', 'update outbox'],
  ['delete from outbox using quick where id = ?', 'delete from outbox'],
])('names a statement by what it does to which table: %s', (sql, label) => {
  expect(labelOf(sql)).toBe(label);
});
