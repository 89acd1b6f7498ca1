import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Context } from './context';

/** Control characters and turned directions, with which an answer could control a terminal or hide in it. */
const unsafe = /[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff]/gu;

/** A value in one line. */
export const cell = (value: unknown): string =>
  (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)).replace(unsafe, '\ufffd');

/** Columns that are as wide as their widest value, up to a bound. */
export function table(rows: readonly Record<string, unknown>[], names: readonly string[]): string {
  const most = 48;
  const short = (text: string) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const lines = [names.map((name) => name.toUpperCase()), ...rows.map((row) => names.map((name) => short(cell(row[name]))))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The place of results. */
interface Shown {
  out: Pick<Context['out'], 'write'>;
}

export const print = ({ out }: Shown, text: string): void => void out.write(`${text}\n`);

/** A line of JSON. A terminal gets nothing that could control it. */
export const printJson = (context: Shown & Pick<Context, 'isTerminal'>, value: unknown): void =>
  print(context, context.isTerminal ? escaped(JSON.stringify(value)) : JSON.stringify(value));

const escaped = (json: string): string =>
  json.replace(unsafe, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** For text on its way to a terminal: line ends and tabs stay. */
export function harmless(): Transform {
  const decoder = new StringDecoder('utf8');
  const clean = (text: string) => text.replace(unsafe, (character) => (/[\n\t\r]/.test(character) ? character : '\ufffd'));
  return new Transform({
    transform: (chunk: Buffer, _, done) => done(null, clean(decoder.write(chunk))),
    flush: (done) => done(null, clean(decoder.end())),
  });
}
