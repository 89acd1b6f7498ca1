export * from './config';
export * from './health';
export * from './log';
export * from './patience';
export * from './process';
