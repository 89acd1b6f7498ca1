export { isPublic } from './address';
export * from './egress';
export type { FailureName } from './failure';
export type { Resolve } from './resolve';
