import { exactNumber } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';

/** Deeper than any valid body, and far below the depth at which printing a value would exhaust the stack. */
const maxDepth = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const tooLarge = (limit: number, cause?: Error): Problem =>
  new Problem('payload_too_large', `The body must have at most ${limit} bytes.`, { cause });

/**
 * Parses JSON more strictly than JSON.parse, so that no input is lost silently. Otherwise the last of two equal keys would win, `__proto__`
 * would disappear when an object is copied, 1e400 would be printed as null, a twenty-digit number would be rounded, and invalid UTF-8 would
 * become replacement characters.
 * @throws Problem `bad_request`
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
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

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]|-?\d[\d.eE+-]*/g;
const tokenOrComma = new RegExp(`${token.source}|,`, 'g');

/** Scans a valid JSON text token by token. A string before a colon is a key of the innermost object. */
function checkTokens(text: string): void {
  const open: Set<string>[] = [];
  let last = '';
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '{' || found === '[') {
      if (open.push(new Set()) > maxDepth) throw Problem.badRequest(`The body is nested too deeply. The limit is ${maxDepth} levels.`);
    } else if (found === '}' || found === ']') {
      open.pop();
    } else if (found === ':') {
      const key = keyIn(last);
      if (key === '__proto__') throw Problem.badRequest('The body must not contain the key __proto__.');
      const keys = open.at(-1);
      if (keys?.has(key)) throw Problem.badRequest(`The body contains the key ${key.slice(0, 64).toWellFormed()} twice in one object.`);
      keys?.add(key);
    } else if (!found.startsWith('"')) checkNumber(found, () => pathTo(index, text));
    last = found;
  }
}

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

/** @throws Problem for a number that JSON.parse would change by rounding it to the nearest double. */
function checkNumber(literal: string, path: () => string): void {
  if (exactNumber(literal) !== undefined) return;
  const number = Number(literal);
  const shown = literal.slice(0, 64);
  if (!Number.isFinite(number)) throw Problem.badRequest(`${path()}: is out of range: ${shown}`);
  throw Problem.badRequest(`${path()}: cannot be stored exactly: ${shown} would become ${number}; send a string, or at most 15 digits`);
}
