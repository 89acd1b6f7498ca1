import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isOperation, messageFields, operations, requestShape, type MessageField } from '@sheaf/contracts';
import type { z } from 'zod';
import descriptors from './generated/descriptors.json';

const root = join(__dirname, '../../..');

interface Field {
  type: string;
  rule?: 'repeated';
  options?: { proto3_optional?: true };
}
type Package = Record<string, { methods?: Record<string, { requestType: string; responseType: string }>; fields?: Record<string, Field> }>;

const packageOf = (area: string): Package =>
  (descriptors.nested.sheaf.nested as unknown as Record<string, { nested: { v1: { nested: Package } } }>)[area]?.nested.v1.nested ?? {};

type Def = z.core.$ZodTypeDef & { innerType: z.ZodType; out: z.ZodType; element: z.ZodType };
const defOf = (shape: z.ZodType) => shape._zod.def as Def;

/** The shape of a value that is there. */
function bare(shape: z.ZodType): z.ZodType {
  const { type, innerType, out } = defOf(shape);
  if (type === 'pipe') return bare(out);
  return ['optional', 'nullable', 'default', 'prefault', 'readonly'].includes(type) ? bare(innerType) : shape;
}

/** JSON has a null of its own. */
const canBeAbsent = (shape: z.ZodType, carrier: string): boolean =>
  shape.safeParse(undefined).success || (carrier !== 'bytes' && shape.safeParse(null).success);

const carriers: Record<string, readonly string[]> = {
  string: ['string'],
  enum: ['string'],
  literal: ['string'],
  boolean: ['bool'],
  number: ['int32', 'int64', 'double'],
  unknown: ['bytes'],
  any: ['bytes'],
  union: ['bytes'],
  record: ['bytes'],
  custom: ['bytes'],
};

/** The parts of a shape that the messages lack, or carry in another way. */
function* faultsOf(shape: z.ZodObject, message: string, inPackage: Package, isPatched = false): Generator<string, undefined> {
  for (const field of messageFields(shape))
    yield* faultsIn(field, `${message}.${field.name}`, inPackage[message]?.fields?.[field.name], inPackage, isPatched);
}

function* faultsIn(
  { shape, isPatched }: MessageField,
  place: string,
  field: Field | undefined,
  inPackage: Package,
  inPatch: boolean,
): Generator<string, undefined> {
  if (field === undefined) {
    yield `${place} is missing`;
    return undefined;
  }
  const value = bare(shape);
  const isList = defOf(value).type === 'array';
  if ((field.rule === 'repeated') !== isList) yield `${place}: only a list is repeated`;
  const item = isList ? bare(defOf(value).element) : value;
  if (defOf(item).type === 'object') {
    yield* faultsOf(item as z.ZodObject, field.type, inPackage, isPatched);
    return undefined;
  }
  if (!carriers[defOf(item).type]?.includes(field.type)) yield `${place}: ${field.type} does not carry ${defOf(item).type}`;
  if (!isList && (inPatch || canBeAbsent(shape, field.type)) && field.options?.proto3_optional !== true) yield `${place} must be optional`;
}

const each = Object.entries(operations as Record<string, unknown>).flatMap(([id, one]) =>
  isOperation(one) && one.rpc !== undefined ? [[id, one, one.rpc.split('.')] as const] : [],
);

it.each(each)('the messages of %s carry everything that its shapes have', (_, operation, [area = '', method = '']) => {
  const inPackage = packageOf(area);
  const { requestType = '', responseType = '' } =
    Object.values(inPackage).find(({ methods }) => methods?.[method])?.methods?.[method] ?? {};
  const faults = [
    ...faultsOf(requestShape(operation), requestType, inPackage),
    ...(operation.reply === undefined || operation.answer !== undefined ? [] : faultsOf(operation.reply, responseType, inPackage)),
  ];
  expect(faults).toEqual([]);
});

it('proto/ is what the operations say; `npx nx run rpc:proto` writes it', () => {
  execFileSync(process.execPath, [join(root, 'tools/build/generate-proto.mjs'), '--check'], { timeout: 240_000, stdio: 'pipe' });
});
