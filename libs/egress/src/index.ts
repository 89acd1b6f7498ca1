export * from './egress';
export type { Excerpt } from './excerpt';
export { OwnFailure, type FailureName } from './failure';
export type { Resolve } from './resolve';
