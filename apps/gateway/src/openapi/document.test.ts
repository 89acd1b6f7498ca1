import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  elementTypes,
  fieldTypes,
  SubmissionCorrected,
  SubmissionCreated,
  SubmissionDeleted,
  SubmissionRestored,
  SubmissionSpamChanged,
  SubmissionStatusChanged,
} from '@sheaf/contracts';
import type { z } from 'zod';
import type { EventStreams } from '../event-streams/event-streams';
import { routes } from '../routes';
import type { Services } from '../routes/services';
import { currentDocument } from './current';
import { openApiDocument } from './document';

const root = join(__dirname, '../../../..');
const rows = routes({} as Services, {} as EventStreams);
const document = openApiDocument(rows);
const each = rows.map((row) => [`${row.method.toUpperCase()} ${row.path}`, row] as const);

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { example: unknown }> };
  responses: Record<string, { content?: Record<string, { example: unknown }> }>;
}
const operationOf = ({ path, method }: (typeof rows)[number]) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method] as unknown as Operation;
const accepts = (shape: z.ZodType, value: unknown) => expect(shape.safeParse(value)).toMatchObject({ success: true });

it('matches docs/openapi.json; run `npx nx run gateway:openapi` to regenerate it', () => {
  expect(readFileSync(join(root, 'docs/openapi.json'), 'utf8')).toBe(currentDocument());
});

it("passes the linter's strictest rules", () => {
  // In a separate process, because the linter is an ES module, which jest cannot load.
  execFileSync(process.execPath, [join(root, 'tools/build/lint-openapi.mjs')], { timeout: 240_000, stdio: 'pipe' });
});

/** An operation has the name of one of these and of a noun. Synonyms would make client authors guess. */
const verbs =
  `test accept add assign check compare correct create delete discard download duplicate end erase export get import list move preview publish
  receive renew redeliver remove restore revoke search rotate save set submit switch trash try undo update upload`.split(/\s+/);

it('gives every operation a unique name of a known verb and a noun', () => {
  const ids = [
    ...rows.map((row) => row.id),
    ...Object.values(document.webhooks as Record<string, { post: { operationId: string } }>).map(({ post }) => post.operationId),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  const idiomatic = new RegExp(`^(?:${verbs.join('|')})(?:[A-Z][a-z0-9]*){1,4}$`);
  expect(ids.filter((id) => !idiomatic.test(id))).toEqual([]);
  // With prepositions or conjunctions, a name reads like a sentence.
  expect(ids.filter((id) => /(?:Of|By|With|From|For|To|That|The|And|Or)(?:[A-Z]|$)/.test(id))).toEqual([]);
});

/** The descriptions that people and generators need, by their place in the document. */
function* described(): Generator<[place: string, description: unknown]> {
  for (const [path, methods] of Object.entries({ ...document.paths, ...(document.webhooks as typeof document.paths) })) {
    for (const [method, operation] of Object.entries(methods)) {
      yield [`${method} ${path}`, operation.description];
      for (const { name, description } of (operation.parameters ?? []) as { name: string; description: unknown }[])
        yield [`${method} ${path} ${name}`, description];
    }
  }
  for (const [kind, components] of Object.entries(document.components)) {
    for (const [name, component] of Object.entries(components)) {
      yield [`${kind} ${name}`, component.description];
      yield* properties(component, `${kind} ${name}`);
    }
  }
}

function* properties(node: unknown, place: string): Generator<[place: string, description: unknown]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node as Record<string, unknown>)) {
    if (key === 'properties')
      for (const [name, schema] of Object.entries(value as Record<string, { description?: unknown }>))
        yield [`${place}.${name}`, schema.description];
    if (key !== 'example' && key !== 'examples') yield* properties(value, place);
  }
}

it('describes every operation, parameter, schema and property; `described` gives a shape its text', () => {
  const all = [...described()];
  expect(all.filter(([, description]) => typeof description !== 'string' || description === '').map(([place]) => place)).toEqual([]);
  expect(all.length).toBeGreaterThan(600);
});

it('describes everything in full sentences that do not start with a relative clause', () => {
  const odd = [...described()].filter(
    ([, description]) =>
      !/^[A-Z0-9`]/.test(String(description)) ||
      !/[.)`]$/.test(String(description)) ||
      /^(?:What|Who|Whose|Which|That) /.test(String(description)),
  );
  expect(odd).toEqual([]);
});

it('names every enum', () => {
  const unnamed = Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) =>
    JSON.stringify({ ...schema, enum: undefined }).includes('"enum"') ? [name] : [],
  );
  // Kinds of fields list their types, and what only some types have, without a named enum. A field of a repeat is of any of these kinds.
  const { FormItem } = document.components.schemas as Record<string, { discriminator: { mapping: Record<string, string> } }>;
  const kinds = new Set([
    'InnerField',
    ...Object.values(FormItem?.discriminator.mapping ?? {}).map((schema) => schema.replace(/^.*\//, '')),
  ]);
  expect(unnamed.filter((name) => !kinds.has(name.replace(/Input$/, '')))).toEqual([]);
  expect(document.components.schemas?.SubmissionStatus).toMatchObject({
    type: 'string',
    enum: expect.arrayContaining(['new', 'approved']) as unknown,
  });
});

it('distinguishes the kinds of fields, and elements, by their type', () => {
  const { FormItem, NumberField } = document.components.schemas as Record<
    string,
    { discriminator: { propertyName: string; mapping: Record<string, string> }; properties: object }
  >;
  expect(FormItem?.discriminator).toMatchObject({
    propertyName: 'type',
    mapping: {
      rating: '#/components/schemas/NumberField',
      file: '#/components/schemas/FileField',
      page: '#/components/schemas/FormElement',
    },
  });
  expect(Object.keys(FormItem?.discriminator.mapping ?? {}).sort()).toEqual([...fieldTypes, ...elementTypes, 'check', 'ending'].sort());
  expect(Object.keys(NumberField?.properties ?? {})).toEqual(expect.arrayContaining(['key', 'min', 'max']));
  expect(NumberField?.properties).not.toHaveProperty('pattern');
});

it('documents the events that subscribers receive, with valid examples', () => {
  const webhooks = document.webhooks as Record<string, { post: { requestBody: { content: Record<string, { example: unknown }> } } }>;
  const shapes = {
    'submission.created': SubmissionCreated,
    'submission.status_changed': SubmissionStatusChanged,
    'submission.deleted': SubmissionDeleted,
    'submission.restored': SubmissionRestored,
    'submission.corrected': SubmissionCorrected,
    'submission.spam_changed': SubmissionSpamChanged,
  };
  expect(Object.keys(webhooks)).toEqual(Object.keys(shapes));
  for (const [event, shape] of Object.entries(shapes)) {
    const example = webhooks[event]?.post.requestBody.content['application/json']?.example;
    accepts(shape, example);
    expect(example).toMatchObject({ event });
  }
});

describe.each(each)('%s', (_, row) => {
  it('has examples that match its shapes', () => {
    const { requestBody, responses } = operationOf(row);
    if (row.body) accepts(row.body, requestBody?.content['application/json']?.example);
    if (row.reply) accepts(row.reply, responses[row.status]?.content?.['application/json']?.example);
  });

  it('documents the errors of its route and those of every operation', () => {
    const statuses = Object.keys(operationOf(row).responses).map(Number);
    expect(statuses).toEqual(expect.arrayContaining([...row.errors, row.status, 500, 503]));
    expect(statuses.includes(413)).toBe((row.body ?? row.signedBody ?? row.upload) !== undefined);
  });
});

/** Every part of the document that is an object. */
function* parts(node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node as Record<string, unknown>;
  for (const part of Object.values(node)) yield* parts(part);
}

describe('generators of clients', () => {
  it('compile its patterns in every language: without escapes that only JavaScript has', () => {
    const patterns = [...parts(document)].flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => /\\[^dwsxtnr.*+?()[\]{}|^$\\-]/.test(pattern))).toEqual([]);
  });

  it('give the parameters of an operation different names, whatever their style', () => {
    const clashes = rows.flatMap((row) => {
      const { parameters = [] } = operationOf(row) as { parameters?: { name: string }[] };
      const plain = parameters.map(({ name }) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
      return new Set(plain).size < plain.length ? [`${row.method} ${row.path}`] : [];
    });
    expect(clashes).toEqual([]);
  });

  it('find no pattern beside a format, which already implies it', () => {
    const formatted = [...parts(document.components)].filter(({ format }) => typeof format === 'string');
    expect(formatted.length).toBeGreaterThan(10);
    expect(formatted.filter(({ pattern }) => pattern !== undefined)).toEqual([]);
  });

  it('find the version of OpenAPI that they know by its name', () => expect(document.openapi).toBe('3.1.0'));

  it('find one type in a schema, beside which only null may stand', () => {
    const lists = [...parts(document)].flatMap(({ type }) => (Array.isArray(type) ? [type as string[]] : []));
    expect(lists.length).toBeGreaterThan(10);
    expect(lists.filter(([first, second, ...more]) => first === 'null' || second !== 'null' || more.length > 0)).toEqual([]);
  });

  it('find the type of a constant, and of a choice of constants, beside it', () => {
    const constants = [...parts(document.components)].filter(
      ({ const: one, enum: some }) => typeof one === 'string' || Array.isArray(some),
    );
    expect(constants.length).toBeGreaterThan(10);
    expect(constants.filter(({ type }) => type === undefined)).toEqual([]);
  });

  it('find no default beside a reference to an enum, which would have another type', () => {
    expect([...parts(document)].filter((part) => '$ref' in part && 'default' in part)).toEqual([]);
  });

  it('find a format of times only where the offset is required', () => {
    const { properties } = (document.components.schemas?.FormUpdateRequest ?? {}) as { properties: Record<string, object> };
    expect(properties.closes_at).not.toHaveProperty('format');
  });
});

it('allows unknown fields in responses', () => {
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});
