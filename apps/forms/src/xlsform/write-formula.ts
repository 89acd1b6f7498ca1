import { answerKindOf } from '@sheaf/contracts';
import { printFormula, type FunctionName, type Operation, type Tree } from '@sheaf/formulas';
import { maxCellText } from '@sheaf/workbook';
import { nodeOf, quoted, type Names } from './write-expressions';

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
      const written = names.get(tree.key);
      const node = nodeOf(tree.key, names);
      // A text that is not empty is true, also "false".
      return written && answerKindOf(written.field) === 'boolean' ? `(${node} = '${written.isTicked ? 'OK' : 'true'}')` : node;
    }
    case 'call':
      return callOf(tree.of, tree.parts, names);
  }
}

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
  if (of === '=' || of === '!=') return equation(of, parts, [first, second]);
  const asRead = alsoOfMissing(of, parts);
  if (asRead) return xpathOfEqual(asRead, names);
  if (of === 'negative') return `(0 - ${first})`;
  return isFunction(of) ? functions[of](written, parts, names) : `(${first} ${words[of] ?? of} ${second})`;
}

/** Whether XPath may have a text without characters for it. */
function mayBeBlank(tree: Tree | undefined): boolean {
  if (tree?.kind !== 'call') return tree?.kind === 'name' || (tree?.kind === 'text' && tree.value === '');
  if (tree.of === 'if') return tree.parts.length === 2 || tree.parts.slice(1).some(mayBeBlank);
  return tree.of === 'coalesce' && tree.parts.every(mayBeBlank);
}

function equation(of: '=' | '!=', parts: readonly Tree[], [first, second]: readonly [string, string]): string {
  const said = `${first} ${of} ${second}`;
  if (!parts.every(mayBeBlank)) return `(${said})`;
  const asked = first.length <= second.length ? first : second;
  return of === '=' ? `(${said} and ${asked} != '')` : `(${said} or ${asked} = '')`;
}

/** The comparison that holds for two missing values too, as it is read of an XLSForm: `a = b or count(a, b) = 0`, or `a != b and count(a, b) > 0`. */
function alsoOfMissing(of: Operation, [compared, counted]: readonly Tree[]): (Tree & { kind: 'call' }) | undefined {
  const [sign, how] = of === 'or' ? (['=', '='] as const) : (['!=', '>'] as const);
  if (of !== 'or' && of !== 'and') return undefined;
  if (compared?.kind !== 'call' || compared.of !== sign || counted?.kind !== 'call' || counted.of !== how) return undefined;
  const [count, none] = counted.parts;
  const isOfBoth =
    count?.kind === 'call' && count.of === 'count' && count.parts.map(printFormula).join() === compared.parts.map(printFormula).join();
  return isOfBoth && none?.kind === 'number' && none.value === '0' && compared.parts.every(mayBeBlank) ? compared : undefined;
}

const xpathOfEqual = ({ of, parts }: Tree & { kind: 'call' }, names: Names): string =>
  `(${parts.map((part) => xpathOfFormula(part, names)).join(` ${of} `)})`;

const day = /^\d{4}-\d\d-\d\d$/;

function isDay(part: Tree, names: Names): boolean {
  if (part.kind === 'call')
    return part.of === 'today' || (['min', 'max', 'if', 'coalesce'].includes(part.of) && part.parts.some((each) => isDay(each, names)));
  const field = part.kind === 'name' ? names.get(part.key)?.field : undefined;
  return field !== undefined && ['date', 'datetime'].includes(answerKindOf(field));
}

const isFunction = (of: Operation): of is FunctionName => Object.hasOwn(functions, of);

type Written = (written: readonly string[], parts: readonly Tree[], names: Names) => string;

/** The functions of XPath and of ODK: https://docs.getodk.org/form-operators-functions/ */
const functions: Readonly<Record<FunctionName, Written>> = {
  if: ([condition, met, otherwise = "''"]) => `if(${condition}, ${met}, ${otherwise})`,
  sum: (written) => `(${written.map((one) => `coalesce(${one}, 0)`).join(' + ')})`,
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
  const field = part?.kind === 'name' ? names.get(part.key)?.field : undefined;
  return field && answerKindOf(field) === 'options' ? `count-selected(${written})` : `if(${written} != '', 1, 0)`;
}
