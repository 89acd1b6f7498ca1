export * from './egress';
export { OwnFailure, type FailureName } from './failure';
export type { Resolve } from './resolve';
