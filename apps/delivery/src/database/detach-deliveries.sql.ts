/**
 * Removes a day from the log, unless some of its deliveries are still to be sent. It locks the parents first, as every reader does, and
 * only briefly. It runs with the owner's rights.
 */
export const detachDeliveries = `
  create or replace function detach_deliveries(day date) returns boolean
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
  begin
    perform pg_advisory_xact_lock(7346106);
    lock table delivery, attempt in access exclusive mode;
    if exists (select from queue where delivery_id >= first_id(day) and delivery_id < first_id(day + 1)) then
      return false;
    end if;
    if exists (select from pg_inherits where inhrelid = to_regclass('delivery' || to_char(day, '_YYYYMMDD'))) then
      execute format('alter table delivery detach partition %I', 'delivery' || to_char(day, '_YYYYMMDD'));
      execute format('alter table attempt detach partition %I', 'attempt' || to_char(day, '_YYYYMMDD'));
    end if;
    return true;
  end
  $$;
`;
