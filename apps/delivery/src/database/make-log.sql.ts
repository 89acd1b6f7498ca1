/**
 * Creates the partitions for a range of days, one call at a time. Runs with the owner's rights, because the service's own role can neither
 * create nor drop tables.
 */
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
