import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import { z } from 'zod';

/** The interfaces that processes of different versions share. */
export interface Agreement {
  /** Methods per service, by full name. */
  services: Record<string, Record<string, Method>>;
  /** Fields per message, by full name. */
  messages: Record<string, { fields: Record<string, Field>; reserved: (number | string)[] }>;
  enums: Record<string, Record<string, number>>;
  /** Per event: its sender, its consumers, and its body as JSON Schema. */
  events: Record<string, { source: string; consumers: readonly string[]; body: Schema }>;
}

export type Schema = Record<string, unknown>;

export interface Method {
  takes: string;
  gives: string;
  streams: string;
}

export interface Field {
  number: number;
  type: string;
  label: 'repeated' | 'optional' | 'implicit';
  oneof?: string;
}

/** The exports of libs/contracts/src/events.ts. */
export interface EventsModule {
  domainEvents: Record<string, { source: string; consumers: readonly string[] }>;
  [body: string]: unknown;
}

/** The interfaces of the current source tree. */
export function currentAgreement(root: string, events: EventsModule): Agreement {
  const folder = join(root, 'proto');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.proto'));
  const sources = files.sort().map((file) => join(folder, file));
  const protos = new protobuf.Root();
  protos.resolvePath = (_origin, target) => (target.startsWith('/') ? target : join(folder, target));
  protos.loadSync(sources, { keepCase: true });
  return { ...protoAgreement(protos), events: eventAgreement(events) };
}

export function protoAgreement(protos: protobuf.Root): Pick<Agreement, 'services' | 'messages' | 'enums'> {
  const found: Pick<Agreement, 'services' | 'messages' | 'enums'> = { services: {}, messages: {}, enums: {} };
  protos.resolveAll();
  const walk = (space: protobuf.NamespaceBase) => {
    for (const item of space.nestedArray) {
      const name = item.fullName.slice(1);
      // Google's own types are the same in all versions.
      if (name.startsWith('google')) continue;
      if (item instanceof protobuf.Service) found.services[name] = byName(item.methodsArray, methodOf);
      if (item instanceof protobuf.Enum) found.enums[name] = { ...item.values };
      if (item instanceof protobuf.Type) found.messages[name] = { fields: byName(item.fieldsArray, fieldOf), reserved: reservedIn(item) };
      if (item instanceof protobuf.Namespace) walk(item);
    }
  };
  walk(protos);
  return found;
}

const byName = <T extends { name: string }, R>(items: readonly T[], of: (item: T) => R): Record<string, R> =>
  Object.fromEntries(items.map((item) => [item.name, of(item)]));

const methodOf = (method: protobuf.Method): Method => ({
  takes: method.resolvedRequestType?.fullName.slice(1) ?? method.requestType,
  gives: method.resolvedResponseType?.fullName.slice(1) ?? method.responseType,
  streams: [method.requestStream === true ? 'in' : '', method.responseStream === true ? 'out' : ''].filter(Boolean).join(' and '),
});

function fieldOf(field: protobuf.Field): Field {
  const type = field.resolvedType?.fullName.slice(1) ?? field.type;
  const oneof = field.partOf;
  // protobufjs represents `optional` as a synthetic oneof.
  const isOptional = field.options?.proto3_optional === true;
  return {
    number: field.id,
    type: field instanceof protobuf.MapField ? `map<${field.keyType}, ${type}>` : type,
    label: field.repeated ? 'repeated' : isOptional ? 'optional' : 'implicit',
    ...(oneof && !isOptional ? { oneof: oneof.name } : {}),
  };
}

/** Reserved numbers and names; protobufjs leaves this undefined if nothing is reserved, despite its types. */
const reservedIn = ({ reserved }: { reserved?: (number[] | string)[] }): (number | string)[] =>
  (reserved ?? []).flatMap<number | string>((range) => (typeof range === 'string' ? [range] : numbers(range)));

const numbers = ([from = 0, to = 0]: number[]): number[] =>
  Array.from({ length: Math.min(to, from + 1_000) - from + 1 }, (_, n) => from + n);

/** The body of `submission.status_changed` is called SubmissionStatusChanged. */
export function eventAgreement(events: EventsModule): Agreement['events'] {
  return Object.fromEntries(
    Object.entries(events.domainEvents).map(([type, { source, consumers }]) => {
      const name = type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const body = events[name];
      if (!(body instanceof z.ZodType)) throw new Error(`${type} has no body: events.ts exports no ${name}.`);
      return [type, { source, consumers, body: z.toJSONSchema(body, { io: 'input' }) }];
    }),
  );
}
