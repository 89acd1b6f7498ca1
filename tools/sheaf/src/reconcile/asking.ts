import type { App } from '@sheaf/kernel';
import type { ToolContext } from '../context';

/** Everything that a check needs. */
export interface Checking {
  context: Pick<ToolContext, 'runCommand'>;
  /** Nothing younger is looked at: it may still be on its way. */
  before: Date;
  /** Mends what can be mended without guessing. */
  repair: boolean;
  /** How many things are read at once. */
  pageSize: number;
  /** Says how far it is. */
  progress: (text: string) => void;
}

/** Smaller than every id. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/** The first possible id of a moment: ids are version 7 UUIDs, which begin with the milliseconds since 1970. */
export function firstIdOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Asks a service, or has it do something, about a list: by standard input, as lists are longer than arguments may be. */
export async function about<T>({ context }: Pick<Checking, 'context'>, app: App, command: string, list: readonly unknown[]): Promise<T> {
  return (await context.runCommand(app, [command], JSON.stringify(list))) as T;
}

export const unique = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((value) => value !== null))];
