export * from './api-keys';
export * from './notes';
export * from './search';
