import { z } from 'zod';
import { carriedAs, carriedOf } from './operations/message';

/** In place of a sample: examples leave the property out, because it would contradict the rest of them. */
export const leftOut = Symbol('left out');

/**
 * A shape with its text for the documentation, which comes before what the shape says of its own bounds, and with a sample for examples. A message
 * carries it as it does the shape. It is the outermost call: `described(text(1, 10).optional(), '…')`, because `optional` and `default` would hide a text inside.
 */
export const described = <T extends z.ZodType>(shape: T, text: string, sample?: unknown): T => {
  const { 'x-sample': _, 'x-left-out': __, ...meta } = z.globalRegistry.get(shape) ?? {};
  const own = boundsIn(shape);
  return carriedAs(
    shape.meta({
      ...meta,
      description: own === undefined ? text : `${text} ${own}`,
      'x-text': text,
      ...(sample === undefined ? {} : sample === leftOut ? { 'x-left-out': true } : { 'x-sample': sample }),
    }),
    carriedOf(shape),
  );
};

/** A shape with the text and the sample of another. */
export function describedLike<T extends z.ZodType>(other: z.ZodType, shape: T): T {
  const { 'x-text': text, 'x-sample': sample, 'x-left-out': isLeftOut } = z.globalRegistry.get(other) ?? {};
  return described(shape, text as string, isLeftOut === true ? leftOut : sample);
}

/**
 * The bounds of a shape in words; one that may be absent says what the shape inside says. The document has that of one that may be null.
 */
function boundsIn(shape: z.ZodType): string | undefined {
  const { description, 'x-text': text } = z.globalRegistry.get(shape) ?? {};
  const { type, innerType } = shape._zod.def as { type: string; innerType?: z.ZodType };
  return description === undefined && innerType && type !== 'nullable' ? boundsIn(innerType) : boundsAfter(text, description);
}

/** The bounds in a description, after the text that `described` put before it. */
export function boundsAfter(text: unknown, description: string | undefined): string | undefined {
  if (typeof text !== 'string' || description === undefined) return description;
  return description === text ? undefined : description.slice(text.length + 1);
}
