export type { Call } from './call';
export * from './caller-token';
export * from './client';
export * from './folder-access';
export * from './form-access';
export {
  Deliveries,
  Forms,
  Hooks,
  Submissions,
  Workspaces,
  type DeliveriesDefinition,
  type FormsDefinition,
  type HooksDefinition,
  type Protocol,
  type SubmissionsDefinition,
  type WorkspacesDefinition,
} from './protocol';
export * from './server';
export * from './settings';
export * from './token-age';
