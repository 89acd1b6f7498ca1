export * from './audited';
export { Broker, brokerSettings, brokerVersion } from './broker';
export * from './consumer';
export { eventRoot, type DomainEvent } from './event';
export * from './event-cache';
export { outboxMigration, outboxOrderMigration, outboxTraceMigration, record, storingEvents } from './outbox';
export * from './relay';
export * from './outbox-beside';
