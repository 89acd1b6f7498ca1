/** Drops a detached day and subtracts its deliveries from the counters. Runs with the owner's rights. */
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
