import type { Agreement, Schema } from './current';

/**
 * Lists what would break while both versions run beside each other, in either direction, one line each. Additions break nothing
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
    if (now === undefined) return [`${service}: the service is gone, and older neighbours call it`];
    return Object.entries(methods).flatMap(([name, before]) => {
      const method = now[name];
      if (method === undefined) return [`${service}.${name}: the method is gone, and older neighbours call it`];
      return (['takes', 'gives', 'streams'] as const).flatMap((part) =>
        method[part] === before[part] ? [] : [`${service}.${name}: ${part} ${said(method[part])} instead of ${said(before[part])}`],
      );
    });
  });
}

function messageBreaks(accepted: Agreement, current: Agreement): string[] {
  return Object.entries(accepted.messages).flatMap(([message, before]) => {
    const now = current.messages[message];
    // If it was in use, a method or field has changed, and that is reported there.
    if (now === undefined) return [];
    return Object.entries(before.fields).flatMap(([name, old]) => {
      const field = now.fields[name];
      if (field === undefined)
        return now.reserved.includes(old.number)
          ? []
          : [`${message}.${name}: the field is gone, and its number ${old.number} is not reserved`];
      return (['number', 'type', 'label', 'oneof'] as const).flatMap((part) =>
        field[part] === old[part] ? [] : [`${message}.${name}: ${part} ${said(field[part])} instead of ${said(old[part])}`],
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
          now[value] === number ? [] : [`${name}.${value}: is ${said(now[value])} instead of ${number}`],
        );
  });
}

function eventBreaks(accepted: Agreement, current: Agreement): string[] {
  return Object.entries(accepted.events).flatMap(([type, before]) => {
    const now = current.events[type];
    if (now === undefined) return [`${type}: the event is gone, and older processes send and await it`];
    return [
      ...(now.source === before.source ? [] : [`${type}: is sent by ${now.source} instead of ${before.source}`]),
      ...before.consumers
        .filter((consumer) => !now.consumers.includes(consumer))
        .map((consumer) => `${type}: ${consumer} confirms it no more, and older senders wait for that`),
      ...schemaBreaks(type, before.body, now.body),
    ];
  });
}

/** Both directions: we must be able to read an older sender's messages, and an older receiver ours. */
function schemaBreaks(where: string, before: Schema, now: Schema): string[] {
  const others = (schema: Schema) =>
    Object.keys(schema).filter((keyword) => !['properties', 'required', 'items', '$schema', 'additionalProperties'].includes(keyword));
  const keywords = [...new Set([...others(before), ...others(now)])];
  const changed = keywords
    .filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(now[keyword]))
    .map((keyword) => `${where}: ${keyword} ${said(now[keyword])} instead of ${said(before[keyword])}`);

  const [properties, required] = [childrenOf(before), namesOf(before)];
  const [propertiesNow, requiredNow] = [childrenOf(now), namesOf(now)];
  const kept = Object.entries(properties).flatMap(([name, schema]) => {
    const child = propertiesNow[name];
    return child === undefined
      ? [`${where}.${name}: is gone, and older readers look for it`]
      : schemaBreaks(`${where}.${name}`, schema, child);
  });
  return [
    ...changed,
    ...kept,
    ...requiredNow
      .filter((name) => !required.includes(name))
      .map((name) => `${where}.${name}: is required now, and older senders leave it out`),
    ...required
      .filter((name) => !requiredNow.includes(name) && propertiesNow[name] !== undefined)
      .map((name) => `${where}.${name}: may be left out now, and older readers require it`),
    ...inner(where, 'items', before, now),
    ...inner(where, 'additionalProperties', before, now),
  ];
}

function inner(where: string, keyword: 'items' | 'additionalProperties', before: Schema, now: Schema): string[] {
  const [old, fresh] = [before[keyword], now[keyword]];
  if (isSchema(old) && isSchema(fresh)) return schemaBreaks(`${where}.*`, old, fresh);
  return JSON.stringify(old) === JSON.stringify(fresh) ? [] : [`${where}: ${keyword} ${said(fresh)} instead of ${said(old)}`];
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const childrenOf = ({ properties }: Schema) => (properties ?? {}) as Record<string, Schema>;
const namesOf = ({ required }: Schema) => (required ?? []) as string[];
const said = (value: unknown) =>
  value === undefined || value === '' ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
