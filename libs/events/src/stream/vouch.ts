import { domainEvents, type EventSource } from '@sheaf/contracts';
import type { Database } from '@sheaf/postgres';
import type { Process } from '@sheaf/runtime';
import type { Broker } from './broker';
import { isKnown, signalSubject } from '../event';
import { waitingSignals } from '../outbox/outbox';
import type { Publisher } from '../outbox/publisher';

// More are never on their way at a time, unless NATS was away: then the next question finds the others.
const mostSignals = 500;

/**
 * Answers the processes that listen to this service's signals (`Sight`). An answer vouches that each signal which was committed before the
 * question has been passed on, so the signals that still wait go out before it. No answer is always right: caches are not used then.
 */
export function vouch(own: Process, { db, broker, source, publisher }: { db: Database; broker: Broker; source: EventSource; publisher: Publisher }): void {
  const sendsSignals = Object.values(domainEvents).some((event) => event.source === source && event.consumers.length === 0);
  if (!sendsSignals) return;
  let asked: string[] = [];
  let answering: Promise<void> | undefined;

  const answer = async () => {
    while (asked.length > 0) {
      // One look for all who asked before it.
      const replies = asked;
      asked = [];
      try {
        const signals = await waitingSignals(db, mostSignals);
        // Written at once; the answers behind it on the same connection cannot overtake it.
        if (signals.length > 0) void publisher.signal(signals.filter(isKnown));
        // A signal of a newer version can only be passed on by a copy of that version.
        if (signals.length === mostSignals || !signals.every(isKnown) || !broker.connected) continue;
        for (const reply of replies) broker.connection.publish(reply);
      } catch (error) {
        own.log.warn({ err: error }, 'nobody can rely on our signals at the moment');
      }
    }
  };

  broker.onceReached((connection) => {
    connection.subscribe(signalSubject(source), {
      callback: (error, { reply }) => {
        if (error || reply === undefined) return;
        asked.push(reply);
        answering ??= answer().finally(() => (answering = undefined));
      },
    });
  });
  own.onStop('signals', async () => {
    asked = [];
    await answering;
  });
}
