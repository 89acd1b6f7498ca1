import { headers } from '@nats-io/transport-node';
import { newId } from '@sheaf/kernel';
import { eventsIn, messageOf, type DomainEvent } from './event';
import { noticesIn } from './notice';

const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const created = (more: Partial<DomainEvent> = {}): DomainEvent => ({
  id: newId(),
  type: 'submission.created',
  instanceId: newId(),
  subject: newId(),
  formId: newId(),
  occurredAt: new Date('2026-06-01T12:00:00.123Z'),
  body: '{"n": 1.0, "text": "ü 🌱 \\"\\\\"}',
  ...more,
});
const arrived = ({ body, headers: sent }: ReturnType<typeof messageOf>) => ({ headers: sent, string: (): string => body });
const several = (body: string) => {
  const sent = headers();
  sent.set('content-type', 'application/vnd.sheaf.events+json');
  return { headers: sent, string: (): string => body };
};

it.each([
  ['one event', [created({ trace, requestId: 'r-1' })]],
  [
    'one event without form and trace, from another source',
    [
      {
        id: newId(),
        type: 'access.changed',
        instanceId: newId(),
        subject: newId(),
        occurredAt: new Date(),
        body: '{}',
      } satisfies DomainEvent,
    ],
  ],
  ['several events', [created({ trace, requestId: 'r-1' }), created(), created({ body: 'null' })]],
])('carries %s unchanged, byte for byte', (_, events) => {
  expect(eventsIn(arrived(messageOf(events, 'submissions')))).toEqual(events);
});

it('uses the NATS subject of the event type for any number of events', () => {
  const subject = 'sheaf.events.submissions.submission.created';
  expect(messageOf([created()], 'submissions').subject).toBe(subject);
  expect(messageOf([created(), created()], 'submissions').subject).toBe(subject);
});

it('is a valid CloudEvent if it carries one event', () => {
  const event = created();
  const { headers: sent, body } = messageOf([event], 'submissions');
  expect([sent.get('ce-specversion'), sent.get('ce-id'), sent.get('ce-type'), sent.get('ce-source'), sent.get('ce-time')]).toEqual([
    '1.0',
    event.id,
    'submission.created',
    '/sheaf/submissions',
    '2026-06-01T12:00:00.123Z',
  ]);
  expect(body).toBe(event.body);
});

it.each([
  ['without headers', { string: (): string => '{}' }],
  ['that is not JSON', several('no')],
  ['that is not a list', several('{}')],
  ['whose events lack an attribute', several('[{"id":"1"}]')],
])('a message %s is not one of our events', (_, message) => {
  expect(eventsIn(message)).toEqual([undefined]);
});

it('an event of an unknown type does not affect the others in its message', () => {
  const [first, last] = [created(), created()];
  const unknown = { ...created(), type: 'submission.invented' as 'submission.created' };
  expect(eventsIn(arrived(messageOf([first, unknown, last], 'submissions')))).toEqual([first, undefined, last]);
});

it('says in its headers what happened to which form, so that a reader needs no body', () => {
  const about = ({ type, instanceId, formId = '', subject }: DomainEvent) => ({ type, instanceId, formId, subject });
  const entry = created({ type: 'audit.recorded', body: '{"action":"submission.corrected"}' });
  for (const events of [[created()], [created(), created()]])
    expect(noticesIn(messageOf(events, 'submissions').headers)).toEqual(events.map(about));
  for (const events of [[entry], [entry, entry]])
    expect(noticesIn(messageOf(events, 'submissions').headers)).toEqual(
      events.map((event) => ({ ...about(event), action: 'submission.corrected' })),
    );
  // A batch of an earlier version.
  expect(noticesIn(several('[]').headers)).toBeUndefined();
});
