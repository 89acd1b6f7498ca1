import { exactNumber } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';

/** Deeper than any valid body, and far below the depth at which printing a value would exhaust the stack. */
const maxDepth = 64;

/** How many values (texts, numbers, lists and objects) a body may have. Large forms have more than anybody sends who needs no credential. */
export const maxValues = { anyone: 20_000, withCredential: 100_000 };

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const tooLarge = (limit: number, cause?: Error): Problem =>
  new Problem('payload_too_large', `The body must have at most ${limit} bytes.`, { cause });

/**
 * Parses JSON more strictly than JSON.parse, so that no input is lost silently. Otherwise the last of two equal keys would win, `__proto__`
 * would disappear when an object is copied, 1e400 would be printed as null, a twenty-digit number would be rounded, and invalid UTF-8 would
 * become replacement characters.
 * @throws Problem `bad_request`
 */
export function parseJson(bytes: Uint8Array, most = maxValues.anyone): unknown {
  const text = decode(bytes);
  checkCount(text, most);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw Problem.badRequest('The body is not valid JSON.');
  }
  checkTokens(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw Problem.badRequest('The body is not valid UTF-8.');
  }
}

/**
 * Before anything is parsed, because each value costs time everywhere in the gateway and in the service behind it.
 * @throws Problem for a valid JSON text of more than `most`
 */
function checkCount(text: string, most: number): void {
  let values = 1;
  let isFirst = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character <= ' ') continue;
    if (character === ',' || (isFirst && character !== ']' && character !== '}')) values++;
    isFirst = character === '[' || character === '{';
    if (character === '"') at = endOfString(text, at);
  }
  if (values > most) throw Problem.badRequest(`The body must have at most ${most} values.`);
}

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1;
  return end;
}

/** Scans a valid JSON text. A string before a colon is a key of the innermost object. */
function checkTokens(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '{' || character === '[') {
      if (open.push(undefined) > maxDepth) throw Problem.badRequest(`The body is nested too deeply. The limit is ${maxDepth} levels.`);
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      start = at;
      end = endOfString(text, at);
      at = end;
    } else if (character === ':') {
      const key = keyIn(text.slice(start, end + 1));
      if (key === '__proto__') throw Problem.badRequest('The body must not contain the key __proto__.');
      const keys = (open[open.length - 1] ??= new Set());
      if (keys.has(key)) throw Problem.badRequest(`The body contains the key ${key.slice(0, 64).toWellFormed()} twice in one object.`);
      keys.add(key);
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      number.lastIndex = at;
      const [literal = ''] = number.exec(text) ?? [];
      if (exactNumber(literal) === undefined) throw inexact(literal, pathTo(at, text));
      at += literal.length - 1;
    }
  }
}

const number = /-?\d[\d.eE+-]*/y;

const tokenOrComma = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|-?\d[\d.eE+-]*/g;

const keyIn = (string: string): string => (string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1));

/**
 * The path of the value at `index` in a valid JSON text, such as `fields.0.min`. It takes a second scan, so that only invalid input pays
 * for it.
 */
function pathTo(index: number, text: string): string {
  const path: (string | number)[] = [];
  let last = '';
  for (const { 0: found, index: at } of text.matchAll(tokenOrComma)) {
    if (at >= index) break;
    const place = path.at(-1);
    if (found === '{') path.push('');
    else if (found === '[') path.push(0);
    else if (found === '}' || found === ']') path.pop();
    else if (found === ':') path[path.length - 1] = keyIn(last).slice(0, 64).toWellFormed();
    else if (found === ',' && typeof place === 'number') path[path.length - 1] = place + 1;
    last = found;
  }
  return path.join('.') || 'The body';
}

/** A number that JSON.parse would change by rounding it to the nearest double. */
function inexact(literal: string, path: string): Problem {
  const rounded = Number(literal);
  const shown = literal.slice(0, 64);
  if (!Number.isFinite(rounded)) return Problem.badRequest(`${path}: is out of range: ${shown}`);
  return Problem.badRequest(`${path}: cannot be stored exactly: ${shown} would become ${rounded}; send a string, or at most 15 digits`);
}
