export * from './database';
export * from './failure';
export * from './migrate';
export * from './version';
