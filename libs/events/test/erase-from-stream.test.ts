import { newId } from '@sheaf/kernel';
import { messageOf, type DomainEvent } from '../src/event';
import { eraseFromStream } from '../src/stream/erase-from-stream';
import { streamName } from '../src/stream/stream';
import { aProcess, useOutbox } from './stage';

useOutbox();

const event = (subject: string, type: DomainEvent['type'] = 'submission.created'): DomainEvent => ({
  id: newId(),
  type,
  instanceId: newId(),
  subject,
  formId: newId(),
  occurredAt: new Date(),
  body: `{"about":"${subject}"}`,
});

async function aStream() {
  const { broker } = await aProcess('delivery');
  await broker.ensureStream();
  const publish = async (...events: DomainEvent[]): Promise<number> => {
    const { subject, body, headers } = messageOf(events, 'submissions');
    return (await broker.jetstream.publish(subject, body, { headers })).seq;
  };
  const bodyAt = async (seq: number): Promise<string | undefined> =>
    (await broker.manager.streams.getMessage(streamName, { seq }).catch(() => null))?.string();
  const erase = (subject: string, since = new Date(Date.now() - 60_000)) =>
    eraseFromStream(broker, {
      service: 'delivery',
      type: 'submission.created',
      source: 'submissions',
      since,
      isErased: (found) => found.subject === subject,
    });
  return { publish, bodyAt, erase };
}

it('deletes each message with an erased event, alone or among others, and no other message', async () => {
  const { publish, bodyAt, erase } = await aStream();
  const [gone, other] = [newId(), newId()];
  const alone = await publish(event(gone));
  const between = await publish(event(other));
  const together = await publish(event(other), event(gone));
  const otherType = await publish(event(gone, 'submission.deleted'));

  expect(await erase(gone)).toBe(2);

  expect(await Promise.all([alone, between, together, otherType].map(bodyAt))).toEqual([
    undefined,
    `{"about":"${other}"}`,
    undefined,
    `{"about":"${gone}"}`,
  ]);
});

it('reads as many messages as there are, and only those since the moment', async () => {
  const { publish, bodyAt, erase } = await aStream();
  const gone = newId();
  const early = await publish(event(gone));
  const since = new Date(Date.now() + 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  for (let n = 0; n < 450; n++) await publish(event(newId()));
  await publish(event(gone));
  expect(await erase(gone, since)).toBe(1);
  expect(await bodyAt(early)).toBeDefined();
});

it('finds nothing twice, and nothing in an empty stretch', async () => {
  const { publish, erase } = await aStream();
  const gone = newId();
  await publish(event(gone));
  expect(await erase(gone)).toBe(1);
  expect(await erase(gone)).toBe(0);
  expect(await erase(gone, new Date(Date.now() + 60_000))).toBe(0);
});
