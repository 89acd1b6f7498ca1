/**
 * The lower bound of a moment's ids: version 7 UUIDs begin with the milliseconds since 1970. No id equals it, as its version would be 0.
 */
export function firstIdOf(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The moment in an id: `firstIdOf` of it is not after the id. */
export const momentOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

const last = (1n << 128n) - 1n;

/** The id that follows, whether or not anything has it. Nothing follows the last one. */
export function idAfter(id: string): string {
  const value = BigInt(`0x${id.replaceAll('-', '')}`);
  const hex = (value === last ? last : value + 1n).toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
