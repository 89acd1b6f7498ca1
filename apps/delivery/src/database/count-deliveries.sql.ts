/**
 * Keeps `delivery_count` up to date. It is a trigger, so that no statement can forget it. It runs once per statement, after all of the
 * statement's rows are locked, and in a fixed order: two statements on the same subscription wait for each other here but never deadlock.
 */
export const countDeliveries = `
  create or replace function count_deliveries() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into delivery_count as c
      select form_id, subscription_id, state, count(*) from added group by 1, 2, 3 order by 1, 2, 3
      on conflict (form_id, subscription_id, state) do update set count = c.count + excluded.count;
    else
      insert into delivery_count as c
      select form_id, subscription_id, state, sum(step)
        from (select form_id, subscription_id, state, 1 as step from added
              union all
              select form_id, subscription_id, state, -1 from removed) as change
       group by 1, 2, 3 having sum(step) <> 0 order by 1, 2, 3
      on conflict (form_id, subscription_id, state) do update set count = c.count + excluded.count;
    end if;
    return null;
  end
  $$;
`;
