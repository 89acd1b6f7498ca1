import type { MethodDefinition as GrpcMethod, ServiceDefinition as GrpcService } from '@grpc/grpc-js';
import { fromJSON, type MethodDefinition } from '@grpc/proto-loader';
import descriptors from './generated/descriptors.json';
import type { DeliveriesDefinition } from './generated/sheaf/delivery/v1/Deliveries';
import type { FormsDefinition } from './generated/sheaf/forms/v1/Forms';
import type { HooksDefinition } from './generated/sheaf/hooks/v1/Hooks';
import type { SubmissionsDefinition } from './generated/sheaf/submissions/v1/Submissions';
import type { WorkspacesDefinition } from './generated/sheaf/workspaces/v1/Workspaces';

// The same as proto-loader-gen-types is told in tools/generate-rpc.mjs: types and values have to agree.
const definitions = fromJSON(descriptors as Parameters<typeof fromJSON>[0], { keepCase: true, longs: Number, enums: String, defaults: true });

/** A service as grpc-js wants it, remembering the generated types of its methods. */
export interface Protocol<Definition> {
  readonly name: string;
  readonly methods: Record<string, GrpcMethod<unknown, unknown>>;
  /** Never there at run time; it carries `Definition`. */
  readonly types?: Definition;
}

function protocol<Definition>(name: string): Protocol<Definition> {
  const definition = definitions[name] as GrpcService | undefined;
  if (!definition) throw new Error(`There is no service ${name} in proto/.`);
  return { name, methods: definition };
}

export const Deliveries = protocol<DeliveriesDefinition>('sheaf.delivery.v1.Deliveries');
export const Forms = protocol<FormsDefinition>('sheaf.forms.v1.Forms');
export const Hooks = protocol<HooksDefinition>('sheaf.hooks.v1.Hooks');
export const Submissions = protocol<SubmissionsDefinition>('sheaf.submissions.v1.Submissions');
export const Workspaces = protocol<WorkspacesDefinition>('sheaf.workspaces.v1.Workspaces');

/** The names of the methods, without the index signature that every generated definition inherits. */
export type MethodName<Definition> = keyof { [M in keyof Definition as string extends M ? never : number extends M ? never : M]: true } & string;

/** What a method takes and gives, as it is sent and as it is received. */
export type Messages<Method> =
  Method extends MethodDefinition<infer Sent, infer Given, infer Taken, infer Received>
    ? { sent: Sent; taken: Taken; given: Given; received: Received }
    : never;

/** `GetForm` → `getForm`. */
export const ownCase = (method: string): string => method.charAt(0).toLowerCase() + method.slice(1);

// A page of 100 submissions, each as large as a request body may be, has to fit.
const maxMessageBytes = 128 * 1024 * 1024;
// The roles of somebody who is a member of several hundred workspaces have to fit into the caller token.
const maxMetadataBytes = 64 * 1024;

export const sizeLimits = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  'grpc.max_metadata_size': maxMetadataBytes,
};
