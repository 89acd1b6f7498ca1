// Compares the output that a guide shows with the output of its commands. Three dots (…) stand for anything.

const ellipsis = '…';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const patternOf = (text: string): string =>
  text
    .split(ellipsis)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*?');

/** Whether the output contains the text that the guide shows. */
export const showsText = (expected: string, output: string): boolean => new RegExp(patternOf(expected.trim())).test(output);

/** The last JSON value in an output: all of it, or what follows lines of text. */
export function lastJson(output: string): unknown {
  const lines = output.trim().split('\n');
  for (const [index, line] of lines.entries()) {
    if (!/^\s*[[{"]/.test(line)) continue;
    try {
      return JSON.parse(lines.slice(index).join('\n'));
    } catch {
      // The value begins further below.
    }
  }
  return undefined;
}

/**
 * How an answer differs from the JSON that a guide shows; undefined if it does not. Identifiers and times may differ. A property or an
 * element `…` stands for any others.
 */
export function jsonDifference(expected: unknown, actual: unknown, path = 'the answer'): string | undefined {
  if (expected === ellipsis) return undefined;
  if (typeof expected === 'string' && typeof actual === 'string') {
    const isSame =
      new RegExp(`^${patternOf(expected)}$`).test(actual) || [uuid, dateTime].some((kind) => kind.test(expected) && kind.test(actual));
    return isSame ? undefined : `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const isOpen = expected.at(-1) === ellipsis;
    const shown = isOpen ? expected.slice(0, -1) : expected;
    if (isOpen ? actual.length < shown.length : actual.length !== shown.length)
      return `${path} has ${actual.length} elements, not ${shown.length}`;
    return first(shown.map((element, i) => jsonDifference(element, actual[i], `${path}[${i}]`)));
  }
  if (isObject(expected) && isObject(actual)) {
    const { [ellipsis]: others, ...shown } = expected;
    const missing = Object.keys(shown).filter((key) => !Object.hasOwn(actual, key));
    const further = others === undefined ? Object.keys(actual).filter((key) => !Object.hasOwn(shown, key)) : [];
    if (missing.length > 0) return `${path} has no ${missing.join(', ')}`;
    if (further.length > 0) return `${path} also has ${further.join(', ')}`;
    return first(Object.entries(shown).map(([key, value]) => jsonDifference(value, actual[key], `${path}.${key}`)));
  }
  return expected === actual ? undefined : `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
}

const first = (differences: (string | undefined)[]): string | undefined => differences.find((difference) => difference !== undefined);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
