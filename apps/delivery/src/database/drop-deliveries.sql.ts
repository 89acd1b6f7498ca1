/** Drops a day that was taken out, and counts its deliveries no more. With the rights of the owner. */
export const dropDeliveries = `
  create or replace function drop_deliveries(day date) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
  begin
    perform pg_advisory_xact_lock(7346106);
    if to_regclass('delivery' || to_char(day, '_YYYYMMDD')) is null
      or exists (select from pg_inherits where inhrelid = to_regclass('delivery' || to_char(day, '_YYYYMMDD'))) then
      return;
    end if;
    execute format('
      insert into delivery_count as c
      select form_id, subscription_id, state, -count(*) from %I group by 1, 2, 3 order by 1, 2, 3
      on conflict (form_id, subscription_id, state) do update set count = c.count + excluded.count',
      'delivery' || to_char(day, '_YYYYMMDD'));
    execute format('drop table %I, %I', 'delivery' || to_char(day, '_YYYYMMDD'), 'attempt' || to_char(day, '_YYYYMMDD'));
  end
  $$;
`;
