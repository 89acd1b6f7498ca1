import { randomUUID } from 'node:crypto';

/** A value that is JSON text already: spliced into an answer as it is, neither parsed nor printed again. */
export class RawJson {
  constructor(readonly text: string) {}

  static of = (bytes: Buffer): RawJson => new RawJson(bytes.toString());
}

// Cannot be guessed by whoever writes the values around it.
const mark = randomUUID();
const marked = new RegExp(`"${mark}:(\\d+)"`, 'g');

/** JSON.stringify that knows RawJson. */
export function print(value: unknown): string {
  const raws: string[] = [];
  const text = JSON.stringify(value, (_key, item: unknown) => (item instanceof RawJson ? `${mark}:${raws.push(item.text) - 1}` : item));
  return raws.length === 0 ? text : text.replace(marked, (_, index: string) => raws[Number(index)] ?? 'null');
}
