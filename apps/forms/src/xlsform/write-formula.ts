import { answerKindOf, isRepeat } from '@sheaf/contracts';
import { namedInItems, printFormula, type FunctionName, type Operation, type Tree } from '@sheaf/formulas';
import { maxCellText } from '@sheaf/workbook';
import { nodeOf, quoted, type Names, type Written as WrittenField } from './write-expressions';

/**
 * The XPath that computes the same, for as long as the answers that it needs are there: XPath takes others for texts without characters. Two that are
 * missing are equal there, so a comparison asks whether there is one.
 */
export function xpathOfFormula(tree: Tree, names: Names): string {
  switch (tree.kind) {
    case 'number':
      return tree.value;
    case 'text':
      return quoted(tree.value);
    case 'truth':
      return `${tree.value}()`;
    case 'name': {
      const key = namedInItems(tree.key)?.key ?? tree.key;
      const written = names.get(key);
      const node = nodeOf(key, names);
      // A text that is not empty is true, also "false".
      return written && isBoolean(written) ? `(${node} = '${written.isTicked ? 'OK' : 'true'}')` : node;
    }
    case 'call':
      return callOf(tree.of, tree.parts, names);
  }
}

const isBoolean = ({ field }: WrittenField): boolean => answerKindOf(field) === 'boolean';

const words: Readonly<Partial<Record<Operation, string>>> = { '/': 'div', '%': 'mod' };

function callOf(of: Operation, parts: readonly Tree[], names: Names): string {
  const ofDays = parts.some((part) => isDay(part, names));
  const written = parts.map((part) =>
    ofDays && part.kind === 'text' && day.test(part.value) ? `date('${part.value}')` : xpathOfFormula(part, names),
  );
  const [first = '', second = ''] = written;
  // Some functions have a part several times, so a formula could grow without an end.
  const tooLong = written.find(({ length }) => length > maxCellText);
  if (tooLong !== undefined) return tooLong;
  if (of === 'not') return `not(${first})`;
  if (of === '=' || of === '!=') return equation(of, parts, [first, second], names);
  const asRead = alsoOfMissing(of, parts, names);
  if (asRead) return xpathOfEqual(asRead, names);
  if (of === 'negative') return `(0 - ${first})`;
  return isFunction(of) ? functions[of](written, parts, names) : `(${first} ${words[of] ?? of} ${second})`;
}

const truths: ReadonlySet<Operation> = new Set(['=', '!=', '<', '<=', '>', '>=', 'and', 'or', 'not', 'selected']);

/** Whether XPath has true or false for it, and never a text. */
function isTruth(tree: Tree | undefined, names: Names): boolean {
  if (tree?.kind === 'name') {
    const written = names.get(tree.key);
    return written !== undefined && isBoolean(written);
  }
  if (tree?.kind !== 'call') return tree?.kind === 'truth';
  const [first, ...others] = tree.parts;
  if (tree.of === 'if') return others.some((part) => isTruth(part, names));
  return tree.of === 'coalesce' ? isTruth(first, names) : truths.has(tree.of);
}

/** Whether XPath may have a text without characters for it. */
function mayBeBlank(tree: Tree | undefined, names: Names): boolean {
  if (isTruth(tree, names)) return false;
  if (tree?.kind !== 'call') return tree?.kind === 'name' || (tree?.kind === 'text' && tree.value === '');
  if (tree.of === 'if') return tree.parts.length === 2 || tree.parts.slice(1).some((part) => mayBeBlank(part, names));
  return tree.of === 'label' || (['coalesce', 'concat'].includes(tree.of) && tree.parts.every((part) => mayBeBlank(part, names)));
}

/** The comparison, and that there is something to compare where XPath takes a missing answer for a text, or for false. */
function equation(of: '=' | '!=', parts: readonly Tree[], [first, second]: readonly [string, string], names: Names): string {
  const said = `${first} ${of} ${second}`;
  const shorter = first.length <= second.length ? first : second;
  const asked = parts.every((part) => mayBeBlank(part, names)) ? [shorter] : missedTruths(parts, names);
  if (asked.length === 0) return `(${said})`;
  return of === '='
    ? `(${[said, ...asked.map((one) => `${one} != ''`)].join(' and ')})`
    : `(${[said, ...asked.map((one) => `${one} = ''`)].join(' or ')})`;
}

/** The answers of yes or no, which are texts: without one, it is no for XPath. A box that is not ticked is a no. */
function missedTruths(parts: readonly Tree[], names: Names): string[] {
  // It is not yes in either.
  if (parts.some((part) => part.kind === 'truth' && part.value)) return [];
  const nodes = parts.flatMap((part) => {
    const written = part.kind === 'name' ? names.get(part.key) : undefined;
    return written && isBoolean(written) && !written.isTicked ? [nodeOf(written.field.key, names)] : [];
  });
  return [...new Set(nodes)];
}

/** The comparison that holds for two missing values too, as it is read of an XLSForm: `a = b or count(a, b) = 0`, or `a != b and count(a, b) > 0`. */
function alsoOfMissing(of: Operation, [compared, counted]: readonly Tree[], names: Names): (Tree & { kind: 'call' }) | undefined {
  const [sign, how] = of === 'or' ? (['=', '='] as const) : (['!=', '>'] as const);
  if (of !== 'or' && of !== 'and') return undefined;
  if (compared?.kind !== 'call' || compared.of !== sign || counted?.kind !== 'call' || counted.of !== how) return undefined;
  const [count, none] = counted.parts;
  const isOfBoth =
    count?.kind === 'call' && count.of === 'count' && count.parts.map(printFormula).join() === compared.parts.map(printFormula).join();
  return isOfBoth && none?.kind === 'number' && none.value === '0' && compared.parts.every((part) => mayBeBlank(part, names))
    ? compared
    : undefined;
}

const xpathOfEqual = ({ of, parts }: Tree & { kind: 'call' }, names: Names): string =>
  `(${parts.map((part) => xpathOfFormula(part, names)).join(` ${of} `)})`;

const day = /^\d{4}-\d\d-\d\d$/;

function isDay(part: Tree, names: Names): boolean {
  if (part.kind === 'call')
    return part.of === 'today' || (['min', 'max', 'if', 'coalesce'].includes(part.of) && part.parts.some((each) => isDay(each, names)));
  const field = part.kind === 'name' ? names.get(namedInItems(part.key)?.key ?? part.key)?.field : undefined;
  return field !== undefined && ['date', 'datetime'].includes(answerKindOf(field));
}

const isInItems = (part: Tree | undefined): boolean => part?.kind === 'name' && namedInItems(part.key) !== undefined;

const isFunction = (of: Operation): of is FunctionName => Object.hasOwn(functions, of);

type Written = (written: readonly string[], parts: readonly Tree[], names: Names) => string;

/** The functions of XPath and of ODK: https://docs.getodk.org/form-operators-functions/ */
const functions: Readonly<Record<FunctionName, Written>> = {
  if: ([condition, met, otherwise = "''"]) => `if(${condition}, ${met}, ${otherwise})`,
  sum: (written, parts) => {
    const terms = written.map((one, at) => (isInItems(parts[at]) ? `sum(${one})` : `coalesce(${one}, 0)`));
    return terms.length === 1 && isInItems(parts[0]) ? `sum(${written.join()})` : `(${terms.join(' + ')})`;
  },
  min: (written, parts, names) => extreme('min', written, parts, names),
  max: (written, parts, names) => extreme('max', written, parts, names),
  round: ([number, digits = '0']) => `round(${number}, ${digits})`,
  floor: ([number]) => `(int(${number}) - if(${number} < int(${number}), 1, 0))`,
  ceil: ([number]) => `(int(${number}) + if(${number} > int(${number}), 1, 0))`,
  abs: ([number]) => `abs(${number})`,
  count: (written, parts, names) => `(${written.map((one, at) => counted(one, parts[at], names)).join(' + ')})`,
  coalesce: (written) => written.reduceRight((others, one) => `coalesce(${one}, ${others})`),
  concat: (written) => `concat(${written.join(', ')})`,
  days_between: ([from, to]) => `round(decimal-date-time(${to}) - decimal-date-time(${from}), 0)`,
  today: () => 'today()',
  selected: ([list, item], parts, names) => {
    const [of, value] = parts;
    const written = of?.kind === 'name' ? names.get(of.key) : undefined;
    return `selected(${list}, ${written && value?.kind === 'text' ? quoted(written.nameOf(value.value)) : item})`;
  },
  label: ([choice]) => `jr:choice-name(${choice}, '${choice}')`,
};

/** Of days, it is the number of one. */
function extreme(name: 'min' | 'max', written: readonly string[], parts: readonly Tree[], names: Names): string {
  const number = `${name}(${written.join(', ')})`;
  return parts.some((part) => isDay(part, names)) ? `date(${number})` : number;
}

function counted(written: string, part: Tree | undefined, names: Names): string {
  const field = part?.kind === 'name' ? names.get(namedInItems(part.key)?.key ?? part.key)?.field : undefined;
  // Of the answers in all items, those that are there, and each option that is chosen.
  if (isInItems(part) && field && answerKindOf(field) === 'options') return `count-selected(join(' ', ${written}))`;
  if (isInItems(part)) return `count(${field ? nodeOf(field.key, names) : written}[. != ''])`;
  if (field && isRepeat(field)) return `count(${written})`;
  if (field && answerKindOf(field) === 'options') return `count-selected(${written})`;
  return `if(${field ? nodeOf(field.key, names) : written} != '', 1, 0)`;
}
