import { randomUUID } from 'node:crypto';

/** A value that is JSON text already: spliced into an answer as it is, neither parsed nor printed again. */
export class RawJson {
  constructor(private readonly text: string) {}

  /** Leaves a mark where the text belongs; `print` puts it there. */
  toJSON(): string {
    return `${mark}:${raws.push(this.text) - 1}`;
  }

  static of = (bytes: Buffer): RawJson => new RawJson(bytes.toString());
}

// Cannot be guessed by whoever writes the values around it.
const mark = randomUUID();
const marked = new RegExp(`"${mark}:(\\d+)"`, 'g');

/** What the value that is just being printed holds. Not collected by a replacer, which would be called for each of its properties. */
let raws: string[] = [];

/** JSON.stringify that knows RawJson. */
export function print(value: unknown): string {
  raws = [];
  const text = JSON.stringify(value);
  return raws.length === 0 ? text : text.replace(marked, (_, index: string) => raws[Number(index)] ?? 'null');
}
