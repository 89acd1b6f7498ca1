import { carriedOf, messageFields, requestShape, type MessageField, type Operation } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { z } from 'zod';

type Convert = (value: unknown) => unknown;
type Values = Record<string, unknown>;

/** How values of a shape travel in a message. Without a function, message and value are alike. */
export interface Codec {
  readonly toMessage?: Convert | undefined;
  readonly fromMessage?: Convert | undefined;
}

/** JSON travels as bytes. Bytes are taken for JSON that is printed already. */
const toJson: Convert = (value) => (value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)));

type FromJson = (bytes: Buffer, property: string) => unknown;

/** JSON is never empty, so a field without bytes is one that was not sent. */
const parsed: FromJson = (bytes, property) => {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw Problem.badRequest(`${property}: must be JSON`);
  }
};

/**
 * The codec of a shape. It converts only what proto3 lacks: null, which travels as an absent field, and JSON.
 * @param fromJson what is made of JSON when it arrives; by default it is parsed
 * @param property the name of what has the shape, for faults
 */
export function codecOf(shape: z.ZodType, fromJson: FromJson = parsed, property = 'message'): Codec {
  const def = shape._zod.def as { type: string } & Record<'innerType' | 'out' | 'element', z.ZodType>;
  switch (def.type) {
    case 'default':
    case 'prefault':
    case 'readonly':
      return codecOf(def.innerType, fromJson, property);
    case 'pipe':
      return codecOf(def.out, fromJson, property);
    case 'optional':
      return orAbsent(codecOf(def.innerType, fromJson, property), def.innerType._zod.def.type === 'object');
    case 'nullable':
      return orNull(codecOf(def.innerType, fromJson, property));
    case 'array':
      return eachOf(codecOf(def.element, fromJson, property));
    case 'object':
      return partsOf(shape as z.ZodObject, fromJson);
    case 'unknown':
    case 'any':
    case 'union':
    case 'record':
    case 'custom':
      return { toMessage: toJson, fromMessage: (value) => fromJson(value as Buffer, property) };
    default:
      return {};
  }
}

/** The codec of the request of an operation's method. A patch travels with the names of its properties, because it may set null. */
export function requestCodecOf(operation: Operation): Codec {
  const { patch } = operation;
  const shape = requestShape(operation);
  if (patch === undefined) return codecOf(shape);
  const others = codecOf(shape.omit({ patch: true }));
  const parts = new Map(messageFields(patch).map(({ property, shape: part }) => [property, codecOf(part, parsed, property)]));
  return {
    toMessage: (request) => {
      const { patch: sent, ...rest } = request as Values & { patch: Values };
      const values = Object.entries(sent).filter(([, value]) => value !== null);
      const carried: Values = Object.fromEntries(values.map(([name, value]) => [name, parts.get(name)?.toMessage?.(value) ?? value]));
      return { ...((others.toMessage?.(rest) ?? rest) as Values), patch: carried, set: Object.keys(sent) };
    },
    fromMessage: (message) => {
      const { patch: carried, set, ...rest } = message as Values & { patch: Values | null; set: string[] };
      const valueOf = (name: string) => {
        const value = carried?.[name] ?? null;
        return value === null ? null : (parts.get(name)?.fromMessage?.(value) ?? value);
      };
      const sent = Object.fromEntries(set.map((name) => [name, valueOf(name)]));
      return { ...((others.fromMessage?.(rest) ?? rest) as Values), patch: sent };
    },
  };
}

/** @param isMessage whether the field is a message, which is null where it is absent */
function orAbsent({ toMessage: to, fromMessage: from }: Codec, isMessage: boolean): Codec {
  return {
    toMessage: to && ((value) => (value === undefined ? undefined : to(value))),
    fromMessage:
      from || isMessage ? (value) => (value === undefined || value === null ? undefined : from ? from(value) : value) : undefined,
  };
}

const orNull = ({ toMessage: to, fromMessage: from }: Codec): Codec => ({
  toMessage: (value) => (value === null || value === undefined ? undefined : to ? to(value) : value),
  fromMessage: (value) => (value === undefined || value === null ? null : from ? from(value) : value),
});

const eachOf = ({ toMessage: to, fromMessage: from }: Codec): Codec => ({
  toMessage: to && ((list) => (list as unknown[] | undefined)?.map(to)),
  fromMessage: from && ((list) => (list as unknown[]).map(from)),
});

interface Part extends MessageField, Codec {}

function partsOf(shape: z.ZodObject, fromJson: FromJson): Codec {
  const { names, flat, jsonAs = {} } = carriedOf(shape);
  const parts: Part[] = messageFields(shape).map((field) => {
    const codec = codecOf(field.shape, fromJson, field.property);
    const written = jsonAs[field.property] as Convert | undefined;
    return { ...field, ...codec, ...(written && { toMessage: changed(written, codec) }) };
  });
  const isOther = names !== undefined || flat !== undefined;
  return {
    toMessage: isOther || parts.some(({ toMessage }) => toMessage) ? (value) => carrying(parts, value as Values) : undefined,
    fromMessage:
      isOther || parts.some(({ fromMessage }) => fromMessage) ? (message) => carriedBy(parts, message as Values | null) : undefined,
  };
}

const changed =
  (change: Convert, { toMessage }: Codec): Convert =>
  (value) =>
    value === undefined ? undefined : toMessage?.(change(value));

function carrying(parts: readonly Part[], value: Values): Values {
  const message: Values = {};
  for (const { name, property, part, toMessage } of parts) {
    const own = part === undefined ? value[property] : (value[property] as Values | undefined)?.[part];
    const carried = toMessage ? toMessage(own) : own;
    if (carried !== undefined) message[name] = carried;
  }
  return message;
}

function carriedBy(parts: readonly Part[], message: Values | null): Values | null {
  if (message === null) return null;
  const value: Values = {};
  for (const { name, property, part, fromMessage } of parts) {
    const own = fromMessage ? fromMessage(message[name]) : message[name];
    if (own === undefined) continue;
    if (part === undefined) value[property] = own;
    else ((value[property] ??= {}) as Values)[part] = own;
  }
  return value;
}
