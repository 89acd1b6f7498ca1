export * from './caller';
export * from './clock';
export * from './id';
export * from './problem';
export * from './role';
export * from './scope';
export * from './trace';
