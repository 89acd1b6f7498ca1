import type { z } from 'zod';

/** The number of members that are named. */
const maxNamed = 30;

/**
 * The members of an input that its shape does not know, at any depth, as paths such as `fields.0.requird`. Parsing drops them, so a mistyped
 * setting would be lost in silence. The input must have been accepted by the shape.
 */
export const unknownMembers = (shape: z.ZodType, input: unknown): string[] =>
  [...unknownIn(shape as unknown as z.core.$ZodTypes, input, [])].slice(0, maxNamed).map((path) => path.join('.'));

type Path = readonly (string | number)[];

function* unknownIn(shape: z.core.$ZodTypes, input: unknown, path: Path): Generator<Path> {
  if (typeof input !== 'object' || input === null) return;
  const { def } = shape._zod;
  const inner = (type: z.core.$ZodType) => unknownIn(type as z.core.$ZodTypes, input, path);
  switch (def.type) {
    case 'object':
      for (const [name, value] of Object.entries(input)) {
        if (Object.hasOwn(def.shape, name)) yield* unknownIn(def.shape[name] as z.core.$ZodTypes, value, [...path, name]);
        else if (!def.catchall) yield [...path, name];
      }
      return;
    case 'array':
      if (Array.isArray(input))
        for (const [at, item] of input.entries()) yield* unknownIn(def.element as z.core.$ZodTypes, item, [...path, at]);
      return;
    case 'record':
      for (const [name, value] of Object.entries(input)) yield* unknownIn(def.valueType as z.core.$ZodTypes, value, [...path, name]);
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
      yield* unknownInUnion(def.options as z.core.$ZodTypes[], input, path);
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

/** Of the options that accept the input, one that knows all of its members; else the first one says what is unknown. */
function* unknownInUnion(options: readonly z.core.$ZodTypes[], input: object, path: Path): Generator<Path> {
  const candidates = options
    .filter((option) => (option as unknown as z.ZodType).safeParse(input).success)
    .map((option) => [...unknownIn(option, input, path)]);
  if (candidates.every((unknown) => unknown.length > 0)) yield* candidates[0] ?? [];
}
