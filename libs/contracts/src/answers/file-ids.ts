import { partIn } from './part-in';

/** The ids of the files that an answer names, whatever its kind: a file, several of them, or the picture of a signature. */
export function fileIdsIn(answer: unknown): string[] {
  const named: unknown = partIn(answer, 'file_id') ?? answer;
  return [named].flat().filter((id): id is string => typeof id === 'string' && id !== '');
}
