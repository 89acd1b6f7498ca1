import { truncate } from '../length';

/** The place in a text where the answer to a question is shown: `{{key}}`, or `{{key|what is shown without an answer}}`. */
export interface Pipe {
  kind: 'pipe';
  key: string;
  fallback: string;
  /** As the author wrote it. */
  source: string;
}

/** The most answers that one text may show. */
export const maxPipes = 10;

/** Also matches what looks like a key and is none, so that it can be refused. A backslash before it makes it a text. */
export const pipeSource = String.raw`\\?\{\{ {0,2}[\w.-]{1,64} {0,2}(?:\|[^{}\n]{0,100})?\}\}`;

const pipePattern = new RegExp(pipeSource, 'g');

/** The pipe or text that a match of `pipeSource` stands for. */
export function pipeOf(source: string): Pipe | string {
  if (source.startsWith('\\')) return source.slice(1);
  const [key = '', ...fallback] = source.slice(2, -2).split('|');
  return { kind: 'pipe', key: key.trim(), fallback: fallback.join('|').trim(), source };
}

/** The texts and the pipes of a text. The texts are never empty. */
export function readPipes(text: string): (string | Pipe)[] {
  const parts: (string | Pipe)[] = [];
  const add = (part: string | Pipe) => {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else if (part !== '') parts.push(part);
  };
  let at = 0;
  for (const { 0: source, index } of text.matchAll(pipePattern)) {
    add(text.slice(at, index));
    add(pipeOf(source));
    at = index + source.length;
  }
  add(text.slice(at));
  return parts;
}

export const pipesIn = (text: string): Pipe[] => readPipes(text).filter((part) => typeof part !== 'string');

/** The first `max` code points of a text, or fewer: a pipe that does not fit is left out with all that follows, and so is an escaped one. */
export function truncatePiped(text: string, max: number): string {
  const short = truncate(text, max);
  const broken = [...text.matchAll(pipePattern)].find(
    ({ 0: source, index }) => index < short.length && index + source.length > short.length,
  );
  return broken ? short.slice(0, broken.index) : short;
}

/** The text with its pipes as the function makes them, which may be a text. */
export const withPipes = (text: string, change: (pipe: Pipe) => string): string =>
  readPipes(text)
    .map((part) => (typeof part === 'string' ? escapedPipes(part) : change(part)))
    .join('');

/** A text in which nothing is a pipe. */
export const escapedPipes = (text: string): string => text.replaceAll(pipePattern, String.raw`\$&`);

/** The text as people read it who have no answers: each question by its key, as in `How old is [first_name]?`. */
export const wordedPipes = (text: string): string =>
  readPipes(text)
    .map((part) => (typeof part === 'string' ? part : `[${part.key}]`))
    .join('');
