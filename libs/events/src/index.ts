export * from './audited';
export { Broker, brokerVersion } from './stream/broker';
export { brokerSettings, type BrokerSettings } from './stream/nats-servers';
export * from './stream/consumer';
export { eventRoot, type DomainEvent } from './event';
export * from './stream/event-cache';
export {
  outboxMigration,
  outboxOrderMigration,
  outboxSignalsMigration,
  outboxTraceMigration,
  record,
  storingEvents,
} from './outbox/outbox';
export * from './stream/last-known';
export * from './outbox/relay';
export * from './outbox/outbox-beside';
export { brokerUsers, permissionsOf, type Permissions } from './stream/permissions';
