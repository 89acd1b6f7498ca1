/** Drops a day's events, unless a delivery that is still in the log refers to one of them. Runs with the owner's rights. */
export const dropEvents = `
  create or replace function drop_events(day date) returns boolean
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
  begin
    perform pg_advisory_xact_lock(7346106);
    lock table event in access exclusive mode;
    if exists (select from delivery where event_id >= first_id(day) and event_id < first_id(day + 1)) then
      return false;
    end if;
    execute format('drop table if exists %I', 'event' || to_char(day, '_YYYYMMDD'));
    return true;
  end
  $$;
`;
