import type { z } from 'zod';

/** The number of members that are named. */
const maxNamed = 30;

/**
 * The members of an input that its shape does not know, at any depth, as paths such as `fields.0.requird`. Parsing drops them, so a mistyped
 * setting would be lost in silence. The input must have been accepted by the shape.
 */
export function unknownMembers(shape: z.ZodType, input: unknown): string[] {
  const found: string[] = [];
  for (const path of unknownIn(shape as unknown as z.core.$ZodTypes, input, [])) {
    found.push(path.join('.'));
    if (found.length === maxNamed) break;
  }
  return found;
}

type Path = readonly (string | number)[];

const nothing: Iterable<Path> = [];

/** Most values are texts and numbers: they have no members, and cost no generator. */
const unknownInside = (shape: z.core.$ZodType | undefined, input: unknown, path: Path, name: string | number): Iterable<Path> =>
  typeof input === 'object' && input !== null ? unknownIn(shape as z.core.$ZodTypes, input, [...path, name]) : nothing;

function* unknownIn(shape: z.core.$ZodTypes, input: unknown, path: Path): Generator<Path> {
  if (typeof input !== 'object' || input === null) return;
  const { def } = shape._zod;
  const inner = (type: z.core.$ZodType) => unknownIn(type as z.core.$ZodTypes, input, path);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- no other kind of shape has members
  switch (def.type) {
    case 'object':
      for (const [name, value] of Object.entries(input)) {
        if (Object.hasOwn(def.shape, name)) yield* unknownInside(def.shape[name], value, path, name);
        else if (!def.catchall) yield [...path, name];
      }
      return;
    case 'array':
      if (Array.isArray(input)) for (const [at, item] of input.entries()) yield* unknownInside(def.element, item, path, at);
      return;
    case 'record':
      for (const [name, value] of Object.entries(input)) yield* unknownInside(def.valueType, value, path, name);
      return;
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'readonly':
      yield* inner(def.innerType);
      return;
    case 'pipe':
      // A transformation has no members of its own: what it is given is described behind it.
      yield* inner((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in);
      return;
    case 'union':
      yield* unknownInUnion(toldBy(def, input), input, path);
      return;
    case 'intersection': {
      const right = new Set([...unknownIn(def.right as z.core.$ZodTypes, input, path)].map((unknown) => unknown.join('.')));
      for (const unknown of unknownIn(def.left as z.core.$ZodTypes, input, path)) if (right.has(unknown.join('.'))) yield unknown;
      return;
    }
    case 'lazy':
      yield* inner(def.getter());
      return;
    default:
  }
}

/** The options of a union, or the only one that a member such as `type` tells. */
function toldBy(def: z.core.$ZodUnionDef, input: object): readonly z.core.$ZodTypes[] {
  const options = def.options as readonly z.core.$ZodTypes[];
  if (!('discriminator' in def)) return options;
  const name = String(def.discriminator);
  const value = (input as Readonly<Record<string, unknown>>)[name] as z.core.util.Primitive;
  return options.filter(({ _zod: { propValues } }) => propValues?.[name]?.has(value) ?? true);
}

/** Of the options that accept the input, one that knows all of its members; else the first one says what is unknown. */
function* unknownInUnion(options: readonly z.core.$ZodTypes[], input: object, path: Path): Generator<Path> {
  const [only, ...others] = options;
  if (only && others.length === 0) {
    yield* unknownIn(only, input, path);
    return;
  }
  const candidates = options
    .filter((option) => (option as unknown as z.ZodType).safeParse(input).success)
    .map((option) => [...unknownIn(option, input, path)]);
  if (candidates.every((unknown) => unknown.length > 0)) yield* candidates[0] ?? [];
}
