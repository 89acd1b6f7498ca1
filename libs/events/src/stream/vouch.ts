import { domainEvents, type EventSource } from '@sheaf/contracts';
import type { Database } from '@sheaf/postgres';
import type { Process } from '@sheaf/runtime';
import type { Broker } from './broker';
import { isKnown, signalSubject } from '../event';
import { unpublishedSignals } from '../outbox/outbox';
import type { Publisher } from '../outbox/publisher';

// More signals than this are in flight at once only after NATS has been down; the next question then finds the rest.
const maxSignals = 500;

/**
 * Answers the processes that listen to this service's signals (`Sight`). An answer guarantees that every signal committed before the question
 * has been published, so waiting signals are sent before it. Not answering is always safe: caches are then not used.
 */
export function vouch(
  process: Process,
  { db, broker, source, publisher }: { db: Database; broker: Broker; source: EventSource; publisher: Publisher },
): void {
  const sendsSignals = Object.values(domainEvents).some((event) => event.source === source && event.consumers.length === 0);
  if (!sendsSignals) return;
  let questions: string[] = [];
  let answering: Promise<void> | undefined;

  const answer = async () => {
    while (questions.length > 0) {
      // One query serves all questions that came before it.
      const replies = questions;
      questions = [];
      try {
        const signals = await unpublishedSignals(db, maxSignals);
        // The signals are written synchronously, so later answers on the same connection cannot overtake them.
        if (signals.length > 0) void publisher.signal(signals.filter(isKnown));
        // Only a copy of a newer version can publish that version's signals.
        if (signals.length === maxSignals || !signals.every(isKnown) || !broker.connected) continue;
        for (const reply of replies) broker.connection.publish(reply);
      } catch (error) {
        process.log.warn({ err: error }, 'vouching for signals failed, caches of other services are bypassed');
      }
    }
  };

  broker.onceConnected((connection) => {
    connection.subscribe(signalSubject(source), {
      callback: (error, { reply }) => {
        if (error || reply === undefined) return;
        questions.push(reply);
        answering ??= answer().finally(() => (answering = undefined));
      },
    });
  });
  process.onStop('signals', async () => {
    questions = [];
    await answering;
  });
}
