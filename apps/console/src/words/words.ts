import type * as english from './languages/en';

/** The words of the console, in any language: those that the English file has. */
export type Words = typeof english;

/** The name of something that a later server may have more of; then it is shown as it is. */
export const nameIn = (names: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(names, key) ? (names[key] ?? key) : key;

/** The words of a room, loaded together. */
export type Part = keyof Words;
