import { sentItems } from '@sheaf/contracts';
import { randomUUID } from 'node:crypto';

/** A value that is already JSON text. It is inserted into a response as is, without being parsed and printed again. */
export class RawJson {
  constructor(private readonly text: string) {}

  /** Leaves a placeholder, which `print` replaces with the text. */
  toJSON(): string {
    return `${placeholder}:${rawTexts.push(this.text) - 1}`;
  }

  static of = (bytes: Buffer): RawJson => new RawJson(bytes.toString());

  /** Fields and elements, which services send as they are stored. */
  static ofItems = (bytes: Buffer): RawJson => new RawJson(sentItems(bytes.toString()));
}

// Random, so that no value in a response can contain it.
const placeholder = randomUUID();
const placeholders = new RegExp(`"${placeholder}:(\\d+)"`, 'g');

/** The raw texts in the value that is being printed. A replacer could collect them, but it would be called for every property. */
let rawTexts: string[] = [];

/** JSON.stringify with support for RawJson. */
export function print(value: unknown): string {
  rawTexts = [];
  const text = JSON.stringify(value);
  return rawTexts.length === 0 ? text : text.replace(placeholders, (_, index: string) => rawTexts[Number(index)] ?? 'null');
}
