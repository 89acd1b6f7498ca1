import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@sheaf/kernel';
import { brokerUrl, eventually, SilentProxy } from '@sheaf/testing';
import type { DomainEvent } from '../src/event';
import type { Notice } from '../src/notice';
import { record } from '../src/outbox/record';
import type { Relay } from '../src/outbox/relay';
import { StreamTail } from '../src/stream/stream-tail';
import { aProcess, aSource, clock, useOutbox } from './stage';

useOutbox();

let closeProxy: (() => Promise<void>) | undefined;
afterEach(() => closeProxy?.());

const instanceId = newId();
const created = (): DomainEvent => ({
  id: newId(),
  type: 'submission.created',
  instanceId,
  subject: newId(),
  formId: newId(),
  occurredAt: clock.now(),
  body: '{"data":{"name":"Ada"}}',
});
const audited = (action: string): DomainEvent => ({ ...created(), type: 'audit.recorded', body: JSON.stringify({ action }) });
const noticeOf = ({ type, formId = '', subject }: DomainEvent, action?: string): Notice => ({
  type,
  instanceId,
  formId,
  subject,
  ...(action === undefined ? {} : { action }),
});

/** Everything that a reader hears about events of these tests, in order. */
async function aTail(history = 0, natsUrl?: string) {
  const { process, broker } = await aProcess('gateway', natsUrl);
  const heard: { position: number; notices: Notice[] }[] = [];
  let caughtUpAt = -1;
  const tail = new StreamTail(
    process,
    broker,
    {
      onStream: () => undefined,
      onLost: () => undefined,
      onMessage: (position, notices) => {
        const own = (notices ?? []).filter((notice) => notice.instanceId === instanceId);
        if (own.length > 0) heard.push({ position, notices: own });
      },
      onCaughtUp: (position) => (caughtUpAt = position),
    },
    history,
  );
  process.onStop('tail', () => tail.stop());
  tail.start();
  await eventually(() => expect(caughtUpAt).toBeGreaterThanOrEqual(0));
  return { heard, notices: () => heard.flatMap(({ notices }) => notices) };
}

/** Records an event and waits until the stream has it, so that a later tail without history does not hear of it. */
async function publishedBy(relay: Relay): Promise<DomainEvent> {
  const event = created();
  await relay.transaction((trx) => record(trx, event));
  const { notices } = await aTail(1_000);
  await eventually(() => expect(notices()).toContainEqual(noticeOf(event)));
  return event;
}

it('tells what happened to which form, of single events, batches and audit entries', async () => {
  const { relay } = await aSource();
  await publishedBy(relay);
  const { heard, notices } = await aTail();
  const [single, entry, ...several] = [created(), audited('submission.corrected'), created(), created(), created(), created()] as const;
  await relay.transaction((trx) => record(trx, single));
  await eventually(() => expect(notices()).toEqual([noticeOf(single)]));
  await relay.transaction((trx) => record(trx, entry));
  await eventually(() => expect(notices()).toHaveLength(2));
  await relay.transaction((trx) => record(trx, ...several));

  await eventually(() =>
    expect(notices()).toEqual([noticeOf(single), noticeOf(entry, 'submission.corrected'), ...several.map((event) => noticeOf(event))]),
  );
  // The four are in one message, and have its position.
  expect(heard).toHaveLength(3);
  expect(heard.map(({ position }) => position)).toEqual([...heard.map(({ position }) => position)].sort((a, b) => a - b));
});

it('begins with messages from before its start', async () => {
  const { relay } = await aSource();
  const before = await publishedBy(relay);
  const { notices } = await aTail(1_000);
  await eventually(() => expect(notices()).toContainEqual(noticeOf(before)));
});

it('hears of everything once, even if its connection falls silent for a while', async () => {
  const { proxy, url, close } = await SilentProxy.before(brokerUrl());
  closeProxy = close;
  const { relay } = await aSource();
  await publishedBy(relay);
  const { notices } = await aTail(0, url);
  proxy.silenceAll();
  const missed = [created(), created()];
  for (const event of missed) await relay.transaction((trx) => record(trx, event));
  await sleep(500);
  expect(notices()).toEqual([]);
  proxy.recover();
  await eventually(() => expect(notices()).toEqual(missed.map((event) => noticeOf(event))));
});
