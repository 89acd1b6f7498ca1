export * from './answering';
export * from './config';
export * from './health';
export * from './log';
export * from './patience';
export * from './process';
export * from './version';
