import { Problem } from '@sheaf/kernel';

/** Deeper than any of our shapes, and far from what exhausts a stack where a value is printed again. */
const deepest = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const tooLarge = (limit: number, cause?: Error): Problem => new Problem('payload_too_large', `The body must have at most ${limit} bytes.`, { cause });

/**
 * The value of a JSON text. Stricter than JSON.parse, so that nothing of what was sent is lost silently: of two equal keys that keeps the
 * last one, `__proto__` disappears wherever an object is copied, a number such as 1e400 is printed as null, one of twenty digits is rounded, and bytes that are not UTF-8
 * become question marks.
 * @throws Problem `bad_request`
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decoded(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw Problem.badRequest('The body is not valid JSON.');
  }
  checkTokens(text);
  return value;
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw Problem.badRequest('The body is not valid UTF-8.');
  }
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]|-?\d[\d.eE+-]*/g;
const tokenOrComma = new RegExp(`${token.source}|,`, 'g');

/** Goes over a text that is known to be JSON, token by token: a string before a colon is a key of the innermost object. */
function checkTokens(text: string): void {
  const open: Set<string>[] = [];
  let last = '';
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '{' || found === '[') {
      if (open.push(new Set()) > deepest) throw Problem.badRequest(`The body is nested too deeply: it may have ${deepest} levels.`);
    } else if (found === '}' || found === ']') {
      open.pop();
    } else if (found === ':') {
      const key = keyIn(last);
      if (key === '__proto__') throw Problem.badRequest('The body must not have the key __proto__.');
      const keys = open.at(-1);
      if (keys?.has(key)) throw Problem.badRequest(`The body has the key ${key.slice(0, 64).toWellFormed()} twice in one object.`);
      keys?.add(key);
    } else if (!found.startsWith('"')) checkNumber(found, () => pathTo(index, text));
    last = found;
  }
}

const keyIn = (string: string): string => (string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1));

/** Where in a text that is known to be JSON the value at the index stands: `fields.0.min`. Read again, so that only a refusal pays for it. */
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

/** @throws Problem for a number that would come back as another one: JSON.parse rounds it to the nearest double. */
function checkNumber(literal: string, path: () => string): void {
  // Up to this length a decimal is told from all others by the double that is nearest to it, unless it is all but 0.
  if (literal.length <= 15 && !/[eE]/.test(literal)) return;
  const number = Number(literal);
  const told = literal.slice(0, 64);
  if (!Number.isFinite(number)) throw Problem.badRequest(`${path()}: is too large a number: ${told}`);
  if (literal.length > longestNumber || decimal(literal) !== decimal(String(number))) {
    throw Problem.badRequest(`${path()}: cannot be kept exactly: ${told} would become ${number}; send it as a string, or with at most 15 digits`);
  }
}

/** Longer than any number as JavaScript prints it, however that is spelled. */
const longestNumber = 1_000;

/** A number in one spelling: `-15e1` for `-150.0`. */
function decimal(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = `${whole}${fraction}`.replace(/0+$/, '');
  const shift = whole.length - digits.length + Number(exponent);
  const significant = digits.replace(/^0+/, '');
  return significant === '' ? '0' : `${sign}${significant}e${shift}`;
}
