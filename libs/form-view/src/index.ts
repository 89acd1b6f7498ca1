export * from './view';
export * from './words/words';
