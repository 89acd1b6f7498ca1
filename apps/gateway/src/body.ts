import { Problem } from '@sheaf/kernel';

/** Deeper than any of our shapes, and far from what exhausts a stack where a value is printed again. */
const deepest = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });

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

/** Goes over a text that is known to be JSON, token by token: a string before a colon is a key of the innermost object. */
function checkTokens(text: string): void {
  const open: Set<string>[] = [];
  // The key that each open object or array is just at.
  const path: string[] = [];
  let last = '';
  for (const [found] of text.matchAll(token)) {
    if (found === '{' || found === '[') {
      if (open.push(new Set()) > deepest) throw Problem.badRequest(`The body is nested too deeply: it may have ${deepest} levels.`);
    } else if (found === '}' || found === ']') {
      open.pop();
      path.length = Math.min(path.length, open.length);
    } else if (found === ':') {
      const key = last.includes('\\') ? (JSON.parse(last) as string) : last.slice(1, -1);
      if (key === '__proto__') throw Problem.badRequest('The body must not have the key __proto__.');
      const keys = open.at(-1);
      if (keys?.has(key)) throw Problem.badRequest(`The body has the key ${key.slice(0, 64).toWellFormed()} twice in one object.`);
      keys?.add(key);
      path[open.length - 1] = key;
    } else if (!found.startsWith('"')) checkNumber(found, path);
    last = found;
  }
}

/** @throws Problem for a number that would come back as another one: JSON.parse rounds it to the nearest double. */
function checkNumber(literal: string, path: readonly string[]): void {
  // Up to this length a decimal is told from all others by the double that is nearest to it, unless it is all but 0.
  if (literal.length <= 15 && !/[eE]/.test(literal)) return;
  const number = Number(literal);
  const told = literal.slice(0, 64);
  if (!Number.isFinite(number)) throw Problem.badRequest(`${nameOf(path)}: is too large a number: ${told}`);
  if (literal.length > longestNumber || decimal(literal) !== decimal(String(number))) {
    throw Problem.badRequest(`${nameOf(path)}: cannot be kept exactly: ${told} would become ${number}; send it as a string, or with at most 15 digits`);
  }
}

/** Longer than any number as JavaScript prints it, however that is spelled. */
const longestNumber = 1_000;

const nameOf = (path: readonly string[]): string => path.filter(Boolean).map((key) => key.slice(0, 64).toWellFormed()).join('.') || 'The body';

/** A number in one spelling: `-15e1` for `-150.0`. */
function decimal(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = `${whole}${fraction}`.replace(/0+$/, '');
  const shift = whole.length - digits.length + Number(exponent);
  const significant = digits.replace(/^0+/, '');
  return significant === '' ? '0' : `${sign}${significant}e${shift}`;
}
