export * from './database';
export * from './failure';
export * from './migrate';
export { rowsOf, type Database, type Transaction } from './statement';
