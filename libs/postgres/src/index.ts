export * from './database';
export * from './database-command';
export * from './failure';
export * from './migrate';
export { rowsOf, type Database, type Transaction } from './statement';
export * from './version';
