/**
 * Notes a delivery that was recorded as skipped although its subscription may be on: a process that does not know the options of a webhook takes it for
 * switched off. It is a trigger, because that process cannot know what it does not know. `certain`: our copy tells that the subscription was on; otherwise
 * the options of its revision have to be learned first. Nothing is noted of a subscription that somebody has switched off.
 */
export const notePassedOver = `
  create or replace function note_passed_over() returns trigger language plpgsql as $$
  begin
    insert into passed_over (delivery_id, subscription_id, revision, certain)
    select new.id, s.id, s.revision, coalesce(s.options_revision = s.revision, false)
      from subscription s
     where s.id = new.subscription_id and s.state = 'inactive'
       and (s.options_revision is distinct from s.revision or s.options_state = 'active');
    return null;
  end
  $$;
`;
