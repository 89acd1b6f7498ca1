export * from './egress';
export type { ConnectionFacts } from './connection-facts';
export type { Excerpt } from './excerpt';
export { OwnFailure, type FailureName } from './failure';
export type { Resolve } from './resolve';
export { requireProxy, sendingRules, sendingSettings, targetRules, targetSettings } from './settings';
