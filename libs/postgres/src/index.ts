export * from './build-index';
export * from './database';
export * from './database-command';
export { databaseTime, exactTime, momentOf } from './database-time';
export * from './failure';
export * from './batched-look-up';
export * from './migrate';
export { readOf, rowsOf, type Bound, type Database, type Transaction } from './statement';
export * from './version';
