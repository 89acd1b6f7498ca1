import { findingsOf, type Facts } from './explain';

const at = '2026-11-26T10:00:00.000Z';
const later = '2026-11-26T11:00:00.000Z';
const nothing: Facts = { submission: null, waiting: [], events: [], deliveries: [], listeners: [], lag: undefined };
const submission = {
  id: 's1',
  form_id: 'f1',
  instance_id: 'i1',
  status: 'new',
  created_at: at,
  announced_at: at,
  spam_at: null,
  spam_reason: null,
  deleted_at: null,
};
const waiting = { id: 'e1', type: 'submission.created', occurred_at: at, publications: 0, awaiting: ['delivery'], is_behind: false };
const event = {
  id: 'e1',
  type: 'submission.created',
  form_id: 'f1',
  instance_id: 'i1',
  occurred_at: at,
  planned_at: at,
  request_id: 'r-1',
};
const listener = {
  id: 'w1',
  events: ['submission.created'],
  host: 'hooks.example.org',
  active: true,
  created_at: later,
  deactivated_at: null,
  deactivated_reason: null,
  deactivated_detail: null,
};
const attempt = (number: number, more: object) => ({
  number,
  started_at: at,
  duration_ms: 12,
  status: null,
  error: null,
  code: null,
  response: null,
  ...more,
});
const delivery = {
  id: 'd1',
  event_id: 'e1',
  subscription_id: 'w1',
  url: 'https://hooks.example.org/secret-path',
  state: 'pending',
  reason: null,
  next_attempt_at: null,
  created_at: at,
  attempts: [],
};
const down = attempt(3, { status: 503, error: 'status', response: { body: 'down for maintenance\nsecond line' } });

it.each<[string, Partial<Facts>, string, string]>([
  ['that is unknown', {}, 'not_found', 'never accepted, or it was erased'],
  ['held as spam', { submission: { ...submission, announced_at: null, spam_at: at, spam_reason: 'links' } }, 'spam', 'held as spam since'],
  ['that waits for its payment', { submission: { ...submission, announced_at: null, status: 'pending_payment' } }, 'unpaid', 'payment'],
  ['in the trash', { submission: { ...submission, deleted_at: later } }, 'trash', `in the trash since ${later}`],
  ['in the outbox', { waiting: [waiting] }, 'unpublished', `in the outbox since ${at} and has never been published`],
  ['behind an older event', { waiting: [{ ...waiting, is_behind: true }] }, 'behind_another', 'behind an older event'],
  ['published and not planned', { waiting: [{ ...waiting, publications: 2 }], lag: 7 }, 'unplanned', 'published 2 times'],
  ['to which nobody listened', { events: [event] }, 'nobody_listened', 'This form has no webhook.'],
  ['before its webhook', { events: [event], listeners: [listener] }, 'nobody_listened', `made later, at ${later}`],
  [
    'of another kind than its webhook wants',
    { events: [event], listeners: [{ ...listener, events: ['submission.deleted'] }] },
    'nobody_listened',
    'No webhook of this form listens to submission.created; w1 to hooks.example.org listens to submission.deleted.',
  ],
  [
    'that a filter kept back',
    { events: [{ ...event, withheld: [{ id: 'w1', part: 'answers.country' }] }] },
    'filtered',
    'its filter kept it back: filter.answers.country did not match',
  ],
  ['for a webhook that is off', { events: [event], deliveries: [{ ...delivery, state: 'skipped' }] }, 'skipped', 'was switched off at'],
  [
    'that waits for its next attempt',
    { events: [event], deliveries: [{ ...delivery, next_attempt_at: later, attempts: [attempt(1, { error: 'timeout' })] }] },
    'waiting',
    `waits for attempt 2 to the webhook w1 at hooks.example.org, due at ${later}. The last one, at ${at}, got timeout after 12 ms.`,
  ],
  [
    'under way again',
    { events: [event], deliveries: [{ ...delivery, attempts: [attempt(1, { error: 'timeout' }), attempt(2, {})] }] },
    'under_way',
    `attempt 2 began at ${at}. The one before, at ${at}, got timeout`,
  ],
  ['under way', { events: [event], deliveries: [{ ...delivery, attempts: [attempt(1, {})] }] }, 'under_way', 'attempt 1 began at'],
  [
    'sent',
    { events: [event], deliveries: [{ ...delivery, state: 'succeeded', attempts: [attempt(1, { status: 204 })] }] },
    'sent',
    `at ${at} and accepted with HTTP 204 after 12 ms, at attempt 1.`,
  ],
  [
    'sent with others',
    { events: [event], deliveries: [{ ...delivery, state: 'succeeded', attempts: [attempt(1, { status: 204, batch_id: 'b1' })] }] },
    'sent',
    'accepted with HTTP 204 after 12 ms in the batch b1, at attempt 1.',
  ],
  [
    'given up',
    { events: [event], deliveries: [{ ...delivery, state: 'failed', attempts: [attempt(1, {}), attempt(2, {}), down] }] },
    'failed',
    'HTTP 503 after 12 ms (“down for maintenance”)',
  ],
  [
    'sent at the wish of somebody',
    { events: [event], deliveries: [{ ...delivery, state: 'succeeded', attempts: [down, down, down, attempt(4, { status: 200 })] }] },
    'sent',
    'It was redelivered',
  ],
  [
    'dropped from a backlog',
    { events: [event], deliveries: [{ ...delivery, state: 'failed', reason: 'backlog_full' }] },
    'failed',
    'DELIVERY_BACKLOG',
  ],
  [
    'that may have been sent before a restore',
    { events: [event], deliveries: [{ ...delivery, state: 'failed', reason: 'restored' }] },
    'held_back',
    'restored from a backup',
  ],
  [
    'that a receiver no longer wants',
    { events: [event], deliveries: [{ ...delivery, state: 'cancelled', reason: 'gone' }] },
    'cancelled',
    'answered 410',
  ],
  ['older than the log', { submission }, 'not_kept', 'DELIVERY_LOG_DAYS'],
])('says of a submission %s what became of it', (_, facts, code, text) => {
  const findings = findingsOf('s1', { ...nothing, ...facts });
  expect(findings).toContainEqual(expect.objectContaining({ code, text: expect.stringContaining(text) as unknown }));
  expect(JSON.stringify(findings)).not.toContain('secret-path');
});

it('tells the whole way, without the confirmation that is still on its way', () => {
  const sent = { ...delivery, state: 'succeeded', attempts: [attempt(1, { status: 200 })] };
  const facts = { ...nothing, submission, waiting: [{ ...waiting, publications: 1 }], events: [event], deliveries: [sent] };
  expect(findingsOf('s1', facts).map(({ code }) => code)).toEqual(['stored', 'sent']);
});
