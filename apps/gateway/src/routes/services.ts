import type {
  Client,
  DeliveriesDefinition,
  FormsDefinition,
  HooksDefinition,
  SubmissionsDefinition,
  WorkspacesDefinition,
} from '@sheaf/rpc';
import { RawJson } from '../http/json';

/** Clients of the services behind the gateway. */
export interface Services {
  workspaces: Client<WorkspacesDefinition>;
  forms: Client<FormsDefinition>;
  submissions: Client<SubmissionsDefinition>;
  hooks: Client<HooksDefinition>;
  deliveries: Client<DeliveriesDefinition>;
}

export type SubmissionMessage = Awaited<ReturnType<Client<SubmissionsDefinition>['getSubmission']>>;

/** A submission in the shape of the v1 contract. */
export const v1Submission = ({ id, form_id, data, schema_version, status, created_at }: SubmissionMessage) => ({
  id,
  form_id,
  data: RawJson.of(data),
  schema_version,
  status,
  created_at,
});

/** The envelope of a paginated list. */
export const pageOf = (data: readonly unknown[] | RawJson, total: number, { limit, offset }: { limit: number; offset: number }) => ({
  data,
  total,
  limit,
  offset,
});

/** The envelope of a list without pages (docs/contract-decisions.md, Lists). */
export const wholeList = (data: readonly unknown[]) => pageOf(data, data.length, { limit: data.length, offset: 0 });

/** The value of a path parameter. @throws Error if the route's path does not name it. */
export function param(params: Readonly<Record<string, string>>, name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`the route has no path parameter :${name}`);
  return value;
}
