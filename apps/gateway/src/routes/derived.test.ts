import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { carriedOf, isOperation, operations, parseInput, requestShape, type Operation } from '@sheaf/contracts';
import { codecOf, Deliveries, Forms, Hooks, requestCodecOf, Submissions, Workspaces, type Protocol } from '@sheaf/rpc';
import { z } from 'zod';
import { asking } from './derived';

const document = JSON.parse(readFileSync(join(__dirname, '../../../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};
const protocols: Record<string, Protocol<unknown>> = {
  delivery: Deliveries,
  forms: Forms,
  hooks: Hooks,
  submissions: Submissions,
  workspaces: Workspaces,
};

const methodOf = ({ rpc }: Operation) => {
  const [area = '', name = ''] = rpc?.split('.') ?? [];
  const method = protocols[area]?.methods[name];
  if (method === undefined) throw new Error(`there is no method ${rpc}`);
  return method;
};

interface Described {
  parameters?: { name: string; in: string; required: boolean; example?: string; schema: { const?: string } }[];
  requestBody?: { content: Record<string, { example: unknown }> };
  responses: Record<string, { content?: Record<string, { example: Record<string, unknown> }> }>;
}
const describedIn = ({ method, path }: Operation) => document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method] as Described;

const asked = Object.entries(operations as Record<string, unknown>).flatMap(([id, one]) =>
  isOperation(one) && one.rpc !== undefined ? [[id, one] as const] : [],
);
const whole = asked.filter(([, { composed, answer }]) => composed !== true && answer === undefined);

it.each(whole)('%s arrives at its service as it was sent', (_, operation) => {
  const { parameters = [], requestBody } = describedIn(operation);
  const params = Object.fromEntries(parameters.filter((one) => one.in === 'path').map(({ name, example = '' }) => [name, example]));
  const required = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, schema }) => [name, schema.const ?? 'some text']);
  const query = operation.query && parseInput(operation.query, Object.fromEntries(required));
  const body = operation.patch ?? operation.body;
  const sent = body && parseInput(body, requestBody?.content['application/json']?.example);
  const { requestSerialize, requestDeserialize } = methodOf(operation);
  const message = requestDeserialize(requestSerialize(asking(operation)({ params, query, body: sent })));
  const { fromMessage = (value: unknown) => value } = requestCodecOf(operation);
  expect(parseInput(requestShape(operation), fromMessage(message))).toMatchObject({
    ...Object.fromEntries(
      Object.entries(query ?? {}).filter(([name]) => !carriedOf(operation.query ?? z.object({})).without?.includes(name)),
    ),
    ...(operation.patch ? { patch: sent } : (sent as object | undefined)),
  });
});

it('an option with a condition arrives in a form that an earlier release refuses, and this one reads as it was sent', () => {
  const visible_if = { key: 'region', equals: 'upper' };
  const fields = [
    { key: 'region', label: 'Region', type: 'select', options: ['upper'] },
    { key: 'city', label: 'City', type: 'select', options: [{ value: 'linz', label: 'Linz', visible_if }, 'graz'] },
  ];
  const sent: [Operation, object][] = [
    [operations.saveFormDraft, { fields, revision: 0 }],
    [operations.importForm, { document: { sheaf: 'form', version: 1, title: 'Visit', fields, settings: {} }, workspace_id: '1' }],
  ];
  for (const [operation, body] of sent) {
    const parsed = parseInput(operation.body ?? z.object({}), body);
    const message = asking(operation)({ params: { id: '1' }, body: parsed });
    const arrived = requestCodecOf(operation).fromMessage?.(message) as { fields: Fields; document?: { fields: Fields } };
    const [, { options = [] } = {}] = (arrived.document ?? arrived).fields;
    expect(options).toEqual([
      { option: { value: 'linz', label: 'Linz' }, visible_if },
      { value: 'graz', label: 'graz' },
    ]);
    expect(parseInput(requestShape(operation), { ...arrived, id: '1' })).toMatchObject(parsed);
  }
});

type Fields = { options?: unknown[] }[];

it.each(whole.filter(([, { reply }]) => reply !== undefined))('the answer of %s arrives at clients as it was given', (_, operation) => {
  const { reply = z.object({}), status } = operation;
  const example = describedIn(operation).responses[status]?.content?.['application/json']?.example ?? {};
  const { without = [] } = carriedOf(reply);
  const answer = Object.fromEntries(Object.entries(example).filter(([name]) => !without.includes(name)));
  const { responseSerialize, responseDeserialize } = methodOf(operation);
  const { toMessage, fromMessage } = codecOf(reply);
  const message = responseDeserialize(responseSerialize(toMessage ? toMessage(answer) : answer));
  expect(fromMessage ? fromMessage(message) : message).toMatchObject(answer);
});
