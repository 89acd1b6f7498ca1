import { answerKindOf } from '@sheaf/contracts';
import type { FunctionName, Operation, Tree } from '@sheaf/formulas';
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
    case 'name':
      return names.get(tree.key)?.isTicked ? `(${nodeOf(tree.key, names)} = 'OK')` : nodeOf(tree.key, names);
    case 'call':
      return callOf(tree.of, tree.parts, names);
  }
}

const words: Readonly<Partial<Record<Operation, string>>> = { '/': 'div', '%': 'mod' };

function callOf(of: Operation, parts: readonly Tree[], names: Names): string {
  const written = parts.map((part) => xpathOfFormula(part, names));
  const [first = '', second = ''] = written;
  if (of === 'not') return `not(${first})`;
  if (of === 'negative') return `(0 - ${first})`;
  return isFunction(of) ? functions[of](written, parts, names) : `(${first} ${words[of] ?? of} ${second})`;
}

const isFunction = (of: Operation): of is FunctionName => Object.hasOwn(functions, of);

type Written = (written: readonly string[], parts: readonly Tree[], names: Names) => string;

/** The functions of XPath and of ODK: https://docs.getodk.org/form-operators-functions/ */
const functions: Readonly<Record<FunctionName, Written>> = {
  if: ([condition, met, otherwise = "''"]) => `if(${condition}, ${met}, ${otherwise})`,
  sum: (written) => `(${written.map((one) => `coalesce(${one}, 0)`).join(' + ')})`,
  min: (written) => `min(${written.join(', ')})`,
  max: (written) => `max(${written.join(', ')})`,
  round: ([number, digits = '0']) => `round(${number}, ${digits})`,
  floor: ([number]) => `(int(${number}) - if(${number} < int(${number}), 1, 0))`,
  ceil: ([number]) => `(int(${number}) + if(${number} > int(${number}), 1, 0))`,
  abs: ([number]) => `abs(${number})`,
  count: (written, parts, names) => `(${written.map((one, at) => counted(one, parts[at], names)).join(' + ')})`,
  coalesce: (written) => written.reduceRight((others, one) => `coalesce(${one}, ${others})`),
  concat: (written) => `concat(${written.join(', ')})`,
  days_between: ([from, to]) => `int(decimal-date-time(${to}) - decimal-date-time(${from}))`,
  today: () => 'today()',
  selected: ([list, item], parts, names) => {
    const [of, value] = parts;
    const written = of?.kind === 'name' ? names.get(of.key) : undefined;
    return `selected(${list}, ${written && value?.kind === 'text' ? quoted(written.nameOf(value.value)) : item})`;
  },
  label: ([choice]) => `jr:choice-name(${choice}, '${choice}')`,
};

function counted(written: string, part: Tree | undefined, names: Names): string {
  const field = part?.kind === 'name' ? names.get(part.key)?.field : undefined;
  return field && answerKindOf(field) === 'options' ? `count-selected(${written})` : `if(${written} != '', 1, 0)`;
}
