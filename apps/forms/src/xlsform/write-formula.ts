import { answerKindOf } from '@sheaf/contracts';
import type { FunctionName, Operation, Tree } from '@sheaf/formulas';
import { maxCellText } from '@sheaf/workbook';
import { nodeOf, quoted, type Names } from './write-expressions';

/** The XPath that computes the same, for as long as the answers that it needs are there: XPath takes others for texts without characters. */
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
  if (of === 'negative') return `(0 - ${first})`;
  return isFunction(of) ? functions[of](written, parts, names) : `(${first} ${words[of] ?? of} ${second})`;
}

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
