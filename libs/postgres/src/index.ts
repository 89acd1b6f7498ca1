export * from './database';
export * from './database-command';
export * from './failure';
export * from './in-one-turn';
export * from './migrate';
export { readOf, rowsOf, type Database, type Transaction } from './statement';
export * from './version';
