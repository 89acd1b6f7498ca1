import type { Agreement, Schema } from './current';

/**
 * Lists, one per line, the incompatibilities in either direction while both versions run beside each other. Additions break nothing
 * unless they are required.
 */
export function breaks(accepted: Agreement, current: Agreement): string[] {
  return [
    ...serviceBreaks(accepted, current),
    ...messageBreaks(accepted, current),
    ...enumBreaks(accepted, current),
    ...eventBreaks(accepted, current),
  ];
}

function serviceBreaks(accepted: Agreement, current: Agreement): string[] {
  return Object.entries(accepted.services).flatMap(([service, methods]) => {
    const now = current.services[service];
    if (now === undefined) return [`${service}: the service was removed, but older neighbours call it`];
    return Object.entries(methods).flatMap(([name, before]) => {
      const method = now[name];
      if (method === undefined) return [`${service}.${name}: the method was removed, but older neighbours call it`];
      return (['takes', 'gives', 'streams'] as const).flatMap((part) =>
        method[part] === before[part]
          ? []
          : [`${service}.${name}: ${part} ${formatted(method[part])} instead of ${formatted(before[part])}`],
      );
    });
  });
}

function messageBreaks(accepted: Agreement, current: Agreement): string[] {
  return Object.entries(accepted.messages).flatMap(([message, before]) => {
    const now = current.messages[message];
    // If the message was in use, a method or field has changed, and that is reported there.
    if (now === undefined) return [];
    return Object.entries(before.fields).flatMap(([name, old]) => {
      const field = now.fields[name];
      if (field === undefined)
        return now.reserved.includes(old.number)
          ? []
          : [`${message}.${name}: the field was removed, and its number ${old.number} is not reserved`];
      return (['number', 'type', 'label', 'oneof'] as const).flatMap((part) =>
        field[part] === old[part] ? [] : [`${message}.${name}: ${part} ${formatted(field[part])} instead of ${formatted(old[part])}`],
      );
    });
  });
}

function enumBreaks(accepted: Agreement, current: Agreement): string[] {
  return Object.entries(accepted.enums).flatMap(([name, values]) => {
    const now = current.enums[name];
    return now === undefined
      ? []
      : Object.entries(values).flatMap(([value, number]) =>
          now[value] === number ? [] : [`${name}.${value}: is ${formatted(now[value])} instead of ${number}`],
        );
  });
}

function eventBreaks(accepted: Agreement, current: Agreement): string[] {
  return Object.entries(accepted.events).flatMap(([type, before]) => {
    const now = current.events[type];
    if (now === undefined) return [`${type}: the event was removed, but older processes send and expect it`];
    return [
      ...(now.source === before.source ? [] : [`${type}: is sent by ${now.source} instead of ${before.source}`]),
      ...before.consumers
        .filter((consumer) => !now.consumers.includes(consumer))
        .map((consumer) => `${type}: ${consumer} no longer confirms it, but older senders wait for it to do so`),
      ...schemaBreaks(type, before.body, now.body),
    ];
  });
}

const partKeywords = ['properties', 'required', 'items', '$schema', 'additionalProperties'];
/** Only people read them. */
const textKeywords = ['description', 'x-text', 'x-sample', 'x-left-out'];

/** Checks both directions: we must be able to read an older sender's messages, and an older receiver must be able to read ours. */
function schemaBreaks(where: string, before: Schema, now: Schema): string[] {
  const others = (schema: Schema) => Object.keys(schema).filter((keyword) => ![...partKeywords, ...textKeywords].includes(keyword));
  const keywords = [...new Set([...others(before), ...others(now)])];
  const changed = keywords
    .filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(now[keyword]))
    .map((keyword) => `${where}: ${keyword} ${formatted(now[keyword])} instead of ${formatted(before[keyword])}`);

  const [properties, required] = [childrenOf(before), namesOf(before)];
  const [propertiesNow, requiredNow] = [childrenOf(now), namesOf(now)];
  const kept = Object.entries(properties).flatMap(([name, schema]) => {
    const child = propertiesNow[name];
    return child === undefined
      ? [`${where}.${name}: was removed, but older readers expect it`]
      : schemaBreaks(`${where}.${name}`, schema, child);
  });
  return [
    ...changed,
    ...kept,
    ...requiredNow.filter((name) => !required.includes(name)).map((name) => `${where}.${name}: is now required, but older senders omit it`),
    ...required
      .filter((name) => !requiredNow.includes(name) && propertiesNow[name] !== undefined)
      .map((name) => `${where}.${name}: is now optional, but older readers require it`),
    ...inner(where, 'items', before, now),
    ...inner(where, 'additionalProperties', before, now),
  ];
}

function inner(where: string, keyword: 'items' | 'additionalProperties', before: Schema, now: Schema): string[] {
  const [old, fresh] = [before[keyword], now[keyword]];
  if (isSchema(old) && isSchema(fresh)) return schemaBreaks(`${where}.*`, old, fresh);
  return JSON.stringify(old) === JSON.stringify(fresh) ? [] : [`${where}: ${keyword} ${formatted(fresh)} instead of ${formatted(old)}`];
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const childrenOf = ({ properties }: Schema) => (properties ?? {}) as Record<string, Schema>;
const namesOf = ({ required }: Schema) => (required ?? []) as string[];
const formatted = (value: unknown) =>
  value === undefined || value === '' ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
