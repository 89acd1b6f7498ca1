/**
 * Takes a day out of the log, unless something of it is still to be sent. The parents are locked first, as every reader does it, and only
 * for this moment. With the rights of the owner.
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
