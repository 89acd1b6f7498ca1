/** The part of an answer; undefined if it has none. A name may be that of a property that all objects have. */
export const partIn = (answer: unknown, name: string): unknown =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) && Object.hasOwn(answer, name)
    ? (answer as Readonly<Record<string, unknown>>)[name]
    : undefined;
