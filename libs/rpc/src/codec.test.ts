import { carriedAs, messageFields, operation, requestShape } from '@sheaf/contracts';
import { z } from 'zod';
import { codecOf, requestCodecOf } from './codec';

const through = (shape: z.ZodType, value: unknown) => {
  const { toMessage = (same: unknown) => same, fromMessage = (same: unknown) => same } = codecOf(shape);
  const message = toMessage(value);
  return { message, value: fromMessage(message) };
};

it('leaves a value as it is where a message carries the same', () => {
  expect(codecOf(z.object({ id: z.string(), n: z.int().optional(), tags: z.array(z.object({ key: z.string() })) }))).toEqual({});
});

it('carries null as an absent field, and a missing message as an absent property', () => {
  const shape = z.object({ cursor: z.string().nullable(), owner: z.object({ id: z.string() }).optional() });
  expect(through(shape, { cursor: null })).toEqual({ message: {}, value: { cursor: null } });
  expect(codecOf(shape).fromMessage?.({ owner: null })).toEqual({ cursor: null });
});

it('carries JSON as bytes, and takes bytes for JSON that is printed', () => {
  const shape = z.object({ data: z.record(z.string(), z.unknown()) });
  expect(through(shape, { data: { a: [1, null] } })).toEqual({
    message: { data: Buffer.from('{"a":[1,null]}') },
    value: { data: { a: [1, null] } },
  });
  expect(through(shape, { data: Buffer.from('{}') }).value).toEqual({ data: {} });
  expect(codecOf(shape).fromMessage?.({ data: Buffer.alloc(0) })).toEqual({});
  expect(() => codecOf(shape).fromMessage?.({ data: Buffer.from('{') })).toThrow('data: must be JSON');
});

it('carries as JSON what a shape says, and leaves out what no message has', () => {
  const query = carriedAs(z.object({ forever: z.literal('true') }), { without: ['forever'] });
  const body = z.object({ fields: z.array(z.object({ key: z.string() })), kept: z.array(z.string()).optional() });
  const save = operation({
    method: 'put',
    path: '/things',
    summary: '',
    description: '',
    access: 'person',
    query,
    body: carriedAs(body, { json: ['fields', 'kept'] }),
    status: 204,
    errors: [],
  });
  const { toMessage, fromMessage } = requestCodecOf(save);
  expect(toMessage?.({ forever: 'true', fields: [{ key: 'a' }] })).toEqual({ fields: Buffer.from('[{"key":"a"}]') });
  expect(fromMessage?.({ fields: Buffer.from('[{"key":"a"}]'), kept: null })).toEqual({ fields: [{ key: 'a' }] });
});

it('gives fields other names, and spreads the parts of an object', () => {
  const shape = z.object({ data: z.array(z.string()), by: z.object({ kind: z.string(), id: z.string() }).optional() });
  carriedAs(shape, { names: { data: 'ids' }, flat: { by: 'done_by' } });
  expect(messageFields(shape).map(({ name }) => name)).toEqual(['ids', 'done_by_kind', 'done_by_id']);
  const value = { data: ['a'], by: { kind: 'user', id: '1' } };
  expect(through(shape, value)).toEqual({ message: { ids: ['a'], done_by_kind: 'user', done_by_id: '1' }, value });
  expect(through(shape, { data: [] })).toEqual({ message: { ids: [] }, value: { data: [] } });
});

it('carries a patch with the names of what it sets, so that null and absent stay two things', () => {
  const patch = z.object({ name: z.string().optional(), color: z.string().nullish(), extra: z.record(z.string(), z.unknown()).nullish() });
  const rename = operation({
    method: 'patch',
    path: '/things/:id',
    params: { id: { field: 'id', text: "The thing's id." } },
    summary: '',
    description: '',
    access: 'person',
    patch,
    status: 200,
    errors: [],
  });
  const { toMessage, fromMessage } = requestCodecOf(rename);
  const request = { id: '1', patch: { color: null, extra: { a: 1 } } };
  const message = toMessage?.(request);
  expect(message).toEqual({ id: '1', patch: { extra: Buffer.from('{"a":1}') }, set: ['color', 'extra'] });
  expect(requestShape(rename).parse(fromMessage?.(message))).toEqual(request);
});
