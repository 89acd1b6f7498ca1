export * from './calculation';
export * from './check';
export * from './evaluate';
export * from './extent';
export * from './faults';
export * from './parse';
export * from './print';
export * from './tree';
