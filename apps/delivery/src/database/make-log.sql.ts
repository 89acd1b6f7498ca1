/** Makes the partitions of some days. With the rights of the owner, as the service's own role can make and drop no tables. One at a time. */
export const makeLog = `
  create or replace function make_log(first_day date, last_day date) returns void
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
  declare
    day date;
    log text;
  begin
    perform pg_advisory_xact_lock(7346106);
    for day in select cast(d as date) from generate_series(first_day, last_day, interval '1 day') as d loop
      foreach log in array array['event', 'delivery', 'attempt'] loop
        continue when to_regclass(log || to_char(day, '_YYYYMMDD')) is not null;
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          log || to_char(day, '_YYYYMMDD'), log, first_id(day), first_id(day + 1));
      end loop;
    end loop;
  end
  $$;
`;
