export * from './api-keys';
export * from './folders';
export * from './instance-members';
export * from './notes';
export * from './search';
export * from './workspaces';
