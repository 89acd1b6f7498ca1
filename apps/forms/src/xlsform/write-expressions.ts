import { createHash } from 'node:crypto';
import { answerKindOf, isComparison, isRepeat, partsOf, type Comparison, type Condition, type Field, isSignature } from '@sheaf/contracts';
import { comparedAnswers, itself, negated } from './condition-grammar';

/** A field as the rows of an XLSForm have it. */
export interface Written {
  field: Field;
  /** Whether a boolean is a question with a box to tick, whose answer is `OK`; otherwise its options are `true` and `false`. */
  isTicked: boolean;
  /** An option by its value, as it is called in the sheet `choices`. */
  nameOf: (value: string) => string;
}

/** The questions that an expression may name. */
export interface Names {
  get: (key: string) => Written | undefined;
  /** The key of the question that has the expression as its constraint, where it is called `.`. */
  own?: string;
}

/** The XPath that is met by the same answers as the condition, for as long as readers compare as ODK does. */
export function xpathOf(condition: Condition, names: Names): string {
  const { all, any, not } = condition;
  if (all) return series(all, 'and', names);
  if (any) return series(any, 'or', names);
  if (not) return `not(${xpathOf(not, names)})`;
  return isComparison(condition) ? xpathOfComparison(condition, names) : 'false()';
}

function series(conditions: readonly Condition[], word: 'and' | 'or', names: Names): string {
  const terms: string[] = [];
  for (let index = 0; index < conditions.length; index += 1) {
    const [first, second] = [conditions[index], conditions[index + 1]];
    const asOne = second && comparedAnswers(word === 'or' ? 'any' : 'all', first, second);
    if (asOne) index += 1;
    if (first) terms.push(asOne ? `${nodeOf(asOne.key, names)} ${asOne.sign} ${nodeOf(asOne.other, names)}` : xpathOf(first, names));
  }
  const [only, ...others] = terms;
  if (only !== undefined && others.length === 0) return only;
  return terms.map((term) => (hasWord(term) ? `(${term})` : term)).join(` ${word} `);
}

/** Whether it has an `and` or `or` outside its texts. */
export const hasWord = (expression: string): boolean => / (?:and|or) /.test(expression.replaceAll(/'[^']*'|"[^"]*"/g, ''));

export function nodeOf(key: string, names: Names): string {
  if (key === names.own) return itself;
  const written = names.get(key);
  const parts = written && !isSignature(written.field) ? partsOf(written.field) : [];
  // Each answer has the parts that it needs. Without such parts, it has any of them.
  const needed = parts.find(({ required }) => required);
  const nodes = (needed ? [needed] : parts).map(({ name }) => `\${${nameOfPart(key, name, names)}}`);
  return nodes.length > 1 ? `concat(${nodes.join(', ')})` : (nodes[0] ?? `\${${key}}`);
}

/** The references to an answer within a text: one for each question that asks for it. */
export function referencesTo(key: string, names: Names): string {
  const written = names.get(key);
  const parts = written && !isSignature(written.field) ? partsOf(written.field) : [];
  const questions = parts.length === 0 ? [key] : parts.map(({ name }) => nameOfPart(key, name, names));
  return questions.map((name) => `\${${name}}`).join(' – ');
}

/** The name of the question that asks for a part of an answer. */
export function nameOfPart(key: string, part: string, names: Names): string {
  // A row of a matrix has any text as its value.
  const suffix = /^[\w.-]{1,64}$/.test(part) ? part : createHash('sha256').update(part).digest('hex').slice(0, 12);
  let name = `${key}_${suffix}`;
  while (names.get(name)) name += '_';
  return name;
}

const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function xpathOfComparison(comparison: Comparison, names: Names): string {
  const { key, equals, not_equals, in: among, answered, contains, not_contains, starts_with, chosen_at_least, chosen_at_most } = comparison;
  const written = names.get(key);
  const node = nodeOf(key, names);
  if (written && isRepeat(written.field)) return xpathOfItems(node, comparison);
  if (answered !== undefined) return `${node} ${answered ? '!=' : '='} ''`;
  if (among !== undefined)
    return series(
      among.map((value) => ({ key, equals: value })),
      'or',
      names,
    );
  if (not_equals !== undefined) return notEqual({ key, equals: not_equals }, names);
  if (equals !== undefined) {
    if (typeof equals === 'object') return `${node} = ${nodeOf(equals.key, names)} and ${node} != ''`;
    if (written && isOfOptions(written)) return `selected(${node}, ${quoted(written.nameOf(String(equals)))})`;
    if (written?.isTicked && equals === false) return `${node} != 'OK'`;
    return `${node} = ${valueOf(equals, written)}`;
  }
  if (chosen_at_least !== undefined) return `count-selected(${node}) >= ${chosen_at_least}`;
  if (chosen_at_most !== undefined) return `count-selected(${node}) <= ${chosen_at_most}`;
  if (not_contains !== undefined) return `not(${xpathOfComparison({ key, contains: not_contains }, names)})`;
  if (contains !== undefined)
    return written && isOfOptions(written)
      ? `selected(${node}, ${quoted(written.nameOf(contains))})`
      : `contains(${node}, ${quoted(contains)})`;
  if (starts_with !== undefined) return `starts-with(${node}, ${quoted(starts_with)})`;
  for (const [part, sign] of Object.entries(signs) as [keyof typeof signs, string][]) {
    const operand = comparison[part];
    if (operand === undefined) continue;
    const other = typeof operand === 'object' ? nodeOf(operand.key, names) : valueOf(operand, written);
    // XPath takes both sides for numbers.
    const isTime = written && answerKindOf(written.field) === 'time';
    return isTime ? `decimal-time(${node}) ${sign} decimal-time(${other})` : `${node} ${sign} ${other}`;
  }
  throw new Error('unknown condition');
}

/** Of a repeat, only the number of items is asked. */
const xpathOfItems = (node: string, { answered, chosen_at_least, chosen_at_most }: Comparison): string => {
  if (answered !== undefined) return `count(${node}) ${answered ? '>' : '='} 0`;
  return chosen_at_least === undefined ? `count(${node}) <= ${chosen_at_most}` : `count(${node}) >= ${chosen_at_least}`;
};

function notEqual({ key, equals }: Comparison, names: Names): string {
  const written = names.get(key);
  const node = nodeOf(key, names);
  // Two answers that are missing are equal there, and not here.
  if (typeof equals === 'object') return `${node} != ${nodeOf(equals.key, names)} or ${node} = ''`;
  if (written && isOfOptions(written)) return `not(${xpathOfComparison({ key, equals }, names)})`;
  if (written?.isTicked) return `${node} ${equals === false ? '=' : '!='} 'OK'`;
  return `${node} != ${valueOf(equals ?? '', written)}`;
}

const isOfOptions = ({ field }: Written): boolean => answerKindOf(field) === 'options';

function valueOf(value: string | number | boolean, written: Written | undefined): string {
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value === 'boolean') return written?.isTicked ? "'OK'" : `'${value}'`;
  const text = quoted(written?.nameOf(value) ?? value);
  const kind = written && answerKindOf(written.field);
  return kind === 'date' ? `date(${text})` : kind === 'datetime' ? `date-time(${text})` : text;
}

/** Without an exponent, which XPath does not have. */
export function plainNumber(value: number): string {
  const written = String(value);
  return written.includes('e') ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : written;
}

/** XPath has no escapes in texts. */
export function quoted(text: string): string {
  if (!text.includes("'")) return `'${text}'`;
  if (!text.includes('"')) return `"${text}"`;
  return `concat(${text
    .split("'")
    .map((part) => `'${part}'`)
    .join(`, "'", `)})`;
}

/** The constraint that holds where the condition does not refuse the answer. It is asked only of an answer that is there. */
export function constraintOf(refused: Condition, names: Names & { own: string }): string {
  const rest = refused.all?.filter(({ key, answered }) => !(key === names.own && answered === true)) ?? [];
  const [only, ...others] = rest;
  // A check that refuses each answer has nothing else to say.
  const left = !only ? refused : others.length === 0 ? only : { all: rest };
  return xpathOf(negated(left), names);
}
