import {
  channelOfType,
  domainEvents,
  eventSources,
  followers,
  listeners,
  moreChannels,
  type DomainEventType,
  type EventSource,
} from '@sheaf/contracts';
import { apps, usesNats, type App } from '@sheaf/kernel';
import { channelOf, confirmationSubject, consumerName, eventRoot, inboxOf, natsSubjectOf, signalSubject } from '../event';
import { erasingConsumer } from './erase-from-stream';
import { streamName } from './stream';
import { tailSubjects } from './stream-tail';

const heardBy: Readonly<Record<string, readonly EventSource[]>> = listeners;

/** The users of NATS: each app that connects to it has one, with the same name as its inbox and its consumers. */
export const brokerUsers = apps.filter(usesNats);

export interface Permissions {
  publish: string[];
  subscribe: string[];
}

/** The permissions that a service needs at NATS. `deploy/platform/nats/users.conf` is generated from them. */
export function permissionsOf(user: App): Permissions {
  const source = eventSources.find((name) => name === user);
  const parts = [
    listening(user),
    following(user),
    ...(source === undefined ? [] : [sending(source), consuming(source)]),
    ...(user === 'delivery' ? [erasing(user)] : []),
  ];
  return {
    publish: distinct(parts.flatMap(({ publish }) => publish)),
    subscribe: distinct([`${inboxOf(user)}.>`, ...parts.flatMap(({ subscribe }) => subscribe)]),
  };
}

/** To send events, receive confirmations and answer listeners. These are whole channels, so a new event needs no new permission. */
function sending(source: EventSource): Permissions {
  const more = (Object.keys(moreChannels) as (keyof typeof moreChannels)[]).filter((channel) => moreChannels[channel] === source);
  const listenersOf = Object.keys(heardBy).filter((listener) => heardBy[listener]?.includes(source));
  return {
    publish: [
      ...([source, ...more, 'every'] as const).map((of) => `${eventRoot}.${channelOf(source, of)}.>`),
      ...listenersOf.map((listener) => `${inboxOf(listener, source)}.>`),
      // The first process that sends or consumes creates the stream.
      ...['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${streamName}`),
    ],
    subscribe: [confirmationSubject(source), ...(listenersOf.length > 0 ? [signalSubject(source)] : [])],
  };
}

function consuming(service: EventSource): Permissions {
  const heard = Object.entries<{ source: EventSource | 'every'; consumers: readonly EventSource[] }>(domainEvents)
    .filter(([, { consumers }]) => consumers.includes(service))
    .flatMap(([type, { source }]) => sendersOf(source).map((sender) => ({ sender, channel: channelOfType(type as DomainEventType) })));
  return {
    publish: heard.flatMap(({ sender, channel }) => {
      const consumer = `${streamName}.${consumerName(service, sender, channel)}`;
      return [
        `$JS.API.CONSUMER.INFO.${consumer}`,
        // NATS refuses a consumer whose filter differs from the end of this subject.
        `$JS.API.CONSUMER.CREATE.${consumer}.${eventRoot}.${channelOf(sender, channel)}.>`,
        `$JS.API.CONSUMER.MSG.NEXT.${consumer}`,
        `$JS.ACK.${consumer}.>`,
        confirmationSubject(sender),
      ];
    }),
    subscribe: [],
  };
}

/** To find the messages with erased answers, and to delete them. */
function erasing(service: EventSource): Permissions {
  const consumer = `${streamName}.${erasingConsumer(service)}`;
  return {
    publish: [
      `$JS.API.CONSUMER.CREATE.${consumer}.${natsSubjectOf('submission.created', 'submissions')}`,
      ...['INFO', 'DELETE', 'MSG.NEXT'].map((verb) => `$JS.API.CONSUMER.${verb}.${consumer}`),
      `$JS.API.STREAM.MSG.DELETE.${streamName}`,
    ],
    subscribe: [],
  };
}

function listening(user: App): Permissions {
  const sources = heardBy[user] ?? [];
  return { publish: sources.map(signalSubject), subscribe: sources.map((source) => `${eventRoot}.${channelOf(source, source)}.>`) };
}

const following = (user: App): Permissions => ({ publish: followers.includes(user) ? tailSubjects : [], subscribe: [] });

const sendersOf = (source: EventSource | 'every'): readonly EventSource[] => (source === 'every' ? eventSources : [source]);

const distinct = (subjects: readonly string[]): string[] => [...new Set(subjects)];
