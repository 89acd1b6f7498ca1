/** The look of processes of the version before, which know no options: it leaves out what they would send without them. */
export const lookForPlain = `
  create or replace function look_for_due(
    moment timestamptz, ours_until timestamptz, pauses_ms integer[], unsettled text, lanes jsonb,
    full_ids uuid[], busy_ids uuid[], busy_counts integer[], spent_ids uuid[], hold_ms integer,
    out claims json, out turns json, out next_at timestamptz, out waiting text[]
  ) language sql as $$
    select * from look_for_due(moment, ours_until, pauses_ms, unsettled, lanes, full_ids, busy_ids, busy_counts, spent_ids, hold_ms, false);
  $$;
`;
