/** The first possible id of a moment: ids are version 7 UUIDs, which begin with the milliseconds since 1970. */
export const firstId = `
  create or replace function first_id(at timestamptz) returns uuid language sql immutable as $$
    select cast(lpad(to_hex(cast(floor(extract(epoch from at) * 1000) as bigint)), 12, '0') || repeat('0', 20) as uuid)
  $$;

  create or replace function first_id(day date) returns uuid language sql immutable as $$
    select first_id(cast(day as timestamp) at time zone 'UTC')
  $$;
`;
