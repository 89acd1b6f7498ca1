export * from './database';
export * from './database-command';
export * from './failure';
export * from './migrate';
export * from './version';
