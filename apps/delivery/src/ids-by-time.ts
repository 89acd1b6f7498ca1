/**
 * The lower bound of a moment's ids: version 7 UUIDs begin with the milliseconds since 1970. No id equals it, as its version would be 0.
 */
export function firstIdOf(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The moment in an id: `firstIdOf` of it is not after the id. */
export const momentOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
