export * from './callers';
export * from './clock';
export * from './database';
export * from './eventually';
export * from './neighbour';
export * from './person';
export * from './process';
export * from './subscriber';
