import type { handleClientStreamingCall, handleServerStreamingCall, handleUnaryCall, MethodDefinition as GrpcMethod } from '@grpc/grpc-js';
import { fromJSON, IdempotencyLevel, type MethodDefinition as GeneratedMethod } from '@grpc/proto-loader';
import type { ServiceName } from '@sheaf/kernel';
import descriptors from '../generated/descriptors.json';
import type * as delivery from '../generated/sheaf/delivery/v1/Deliveries';
import type * as forms from '../generated/sheaf/forms/v1/Forms';
import type * as hooks from '../generated/sheaf/hooks/v1/Hooks';
import type * as submissions from '../generated/sheaf/submissions/v1/Submissions';
import type * as workspaces from '../generated/sheaf/workspaces/v1/Workspaces';

// Must equal the options of proto-loader-gen-types in tools/build/generate-rpc.mjs, so that types and values agree.
const options = { keepCase: true, longs: Number, enums: String, defaults: true };

/** A method as grpc-js expects it, and whether it is safe to repeat. */
export type Method = GrpcMethod<unknown, unknown> & { readonly repeatable?: boolean };

/** A service as grpc-js expects it, with the types of its methods. */
export interface Protocol<Definition> {
  readonly name: string;
  /** The process that serves it. */
  readonly service: ServiceName;
  readonly methods: Record<string, Method>;
  /** Never present at run time; it only carries `Definition`. */
  readonly types?: Definition;
}

/** Creates the methods on first use, and only those of this package: a process holds only what it serves or calls. */
function protocol<Area extends string>(service: Area, interfaceName: string) {
  const name = `sheaf.${service}.v1.${interfaceName}`;
  let made: Record<string, Method> | undefined;
  return {
    name,
    service,
    get methods() {
      return (made ??= methodsOf(name));
    },
  };
}

type Definition = Record<string, GrpcMethod<unknown, unknown> & Pick<GeneratedMethod<object, object>, 'options'>>;

function methodsOf(name: string): Record<string, Method> {
  const area = name.split('.')[1] ?? '';
  const packages: Record<string, object | undefined> = descriptors.nested.sheaf.nested;
  const descriptor = { nested: { sheaf: { nested: { [area]: packages[area] } } } };
  const definition = fromJSON(descriptor as Parameters<typeof fromJSON>[0], options)[name] as Definition | undefined;
  if (!definition) throw new Error(`There is no service ${name} in proto/.`);
  const methods = Object.entries(definition).map(([method, of]): [string, Method] => [
    method,
    { ...of, repeatable: of.options.idempotency_level !== IdempotencyLevel.IDEMPOTENCY_UNKNOWN },
  ]);
  return Object.fromEntries(methods);
}

export type DeliveriesDefinition = Typed<delivery.DeliveriesDefinition, delivery.DeliveriesHandlers>;
export type FormsDefinition = Typed<forms.FormsDefinition, forms.FormsHandlers>;
export type HooksDefinition = Typed<hooks.HooksDefinition, hooks.HooksHandlers>;
export type SubmissionsDefinition = Typed<submissions.SubmissionsDefinition, submissions.SubmissionsHandlers>;
export type WorkspacesDefinition = Typed<workspaces.WorkspacesDefinition, workspaces.WorkspacesHandlers>;

export const Deliveries: Protocol<DeliveriesDefinition> = protocol('delivery', 'Deliveries');
export const Forms: Protocol<FormsDefinition> = protocol('forms', 'Forms');
export const Hooks: Protocol<HooksDefinition> = protocol('hooks', 'Hooks');
export const Submissions: Protocol<SubmissionsDefinition> = protocol('submissions', 'Submissions');
export const Workspaces: Protocol<WorkspacesDefinition> = protocol('workspaces', 'Workspaces');

/** The protocol of each service, by its name. */
export const protocols = {
  workspaces: Workspaces,
  forms: Forms,
  submissions: Submissions,
  hooks: Hooks,
  delivery: Deliveries,
} satisfies Record<ServiceName, unknown>;

/** Carries unary calls, many over one stream; see `calls.proto`. */
export const Calls = protocol('rpc', 'Calls');

/** The types that a method takes and returns, as sent and as received, and which of the two is a stream. */
export interface MethodTypes<
  Sent = unknown,
  Taken = unknown,
  Given = unknown,
  Received = unknown,
  Streams = 'neither' | 'request' | 'answer',
> {
  sent: Sent;
  taken: Taken;
  given: Given;
  received: Received;
  streams: Streams;
}

/** The types of a generated service's methods. Its definition knows the messages, but only its handlers know which are streams. */
type Typed<Definition, Handlers> = {
  // Drops the index signature that every generated definition inherits.
  [M in keyof Definition as string extends M ? never : number extends M ? never : M]: Definition[M] extends GeneratedMethod<
    infer Sent,
    infer Given,
    infer Taken,
    infer Received
  >
    ? MethodTypes<Sent, Taken, Given, Received, StreamsOf<Handlers[M & keyof Handlers], Taken, Given>>
    : never;
};

type StreamsOf<Handler, Taken, Given> =
  Handler extends handleUnaryCall<Taken, Given>
    ? 'neither'
    : Handler extends handleServerStreamingCall<Taken, Given>
      ? 'answer'
      : Handler extends handleClientStreamingCall<Taken, Given>
        ? 'request'
        : never;

/** `GetForm` → `getForm`. */
export const lowerFirst = (method: string): string => method.charAt(0).toLowerCase() + method.slice(1);

// Must hold a page of 100 submissions, each as large as a request body may be.
const maxMessageBytes = 128 * 1024 * 1024;
// Must hold a caller token with the roles of a member of several hundred workspaces.
const maxMetadataBytes = 64 * 1024;

export const sizeLimits = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  'grpc.max_metadata_size': maxMetadataBytes,
};
