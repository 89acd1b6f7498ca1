export * from './answer';
export { neighbours } from './audiences';
export type { Call, TokenFor } from './call';
export * from './caller-token';
export * from './codec';
export { cursorAfter, placeOf, timeInPlace } from './cursor';
export { certificatesOf, tlsSteps, type TlsSettings } from './transport/certificates';
export * from './transport/client';
export * from './folder-access';
export * from './form-access';
export * from './instance-host';
export * from './page-headers';
export * from './shapes';
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
} from './transport/protocol';
export * from './transport/door';
export * from './transport/http-tls';
export * from './transport/server';
export * from './transport/settings';
export * from './token-age';
