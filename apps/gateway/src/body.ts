import { Problem } from '@sheaf/kernel';

/** Deeper than any of our shapes, and far from what exhausts a stack where a value is printed again. */
const deepest = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON text. Stricter than JSON.parse, so that nothing of what was sent is lost silently: of two equal keys that keeps the
 * last one, `__proto__` disappears wherever an object is copied, a number such as 1e400 is printed as null, and bytes that are not UTF-8
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
  let last = '';
  for (const [found] of text.matchAll(token)) {
    if (found === '{' || found === '[') {
      if (open.push(new Set()) > deepest) throw Problem.badRequest(`The body is nested too deeply: it may have ${deepest} levels.`);
    } else if (found === '}' || found === ']') open.pop();
    else if (found === ':') {
      const key = last.includes('\\') ? (JSON.parse(last) as string) : last.slice(1, -1);
      if (key === '__proto__') throw Problem.badRequest('The body must not have the key __proto__.');
      const keys = open.at(-1);
      if (keys?.has(key)) throw Problem.badRequest(`The body has the key ${key.slice(0, 64).toWellFormed()} twice in one object.`);
      keys?.add(key);
    } else if (!found.startsWith('"') && !Number.isFinite(Number(found))) {
      throw Problem.badRequest(`The body has a number that is too large: ${found.slice(0, 64)}.`);
    }
    last = found;
  }
}
