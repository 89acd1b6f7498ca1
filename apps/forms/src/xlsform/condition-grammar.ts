import type { Condition } from '@sheaf/contracts';

// The part of XPath that conditions of XLSForms are mostly written in. It is read by descent, in time in proportion to its length.

/** A value that is compared: an answer, the number of its chosen options or of its characters, the number of items of a repeat, a column of the option at hand, or a literal. */
export type Value = { is: 'answer' | 'count' | 'items' | 'length' | 'column'; name: string } | { is: 'text'; text: string };

/** An expression that is true or false. */
export type Term =
  | { is: 'all' | 'any'; terms: Term[] }
  | { is: 'not'; term: Term }
  | { is: 'constant'; value: boolean }
  | { is: 'selected'; list: Value; item: Value }
  | { is: 'comparison'; left: Value; sign: Sign; right: Value };

const signs = ['=', '!=', '<', '<=', '>', '>='] as const;
type Sign = (typeof signs)[number];

const token =
  /\s*(?:(\$\{\s*[^{}\s]+\s*\}|\.{1,2}\/[\w./-]+|\.(?![\d.]))|('[^']*'|"[^"]*")|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w.-]*)|(!=|<=|>=|[=<>(),]))/y;

/** The name of the question to which an expression belongs. */
export const itself = '.';

/** More than any condition that a form can have needs, and far from exhausting the stack. */
const maxDepth = 40;

/** The expression; undefined if it is another one than these, or none. */
export function readExpression(text: string): Term | undefined {
  try {
    return new Reader(tokensIn(text.trim())).whole();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

class Unknown extends Error {}

interface Token {
  is: 'reference' | 'text' | 'number' | 'name' | 'sign';
  text: string;
}

function tokensIn(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) throw new Unknown();
    const [all, reference, quoted, number, name, sign = ''] = found;
    if (reference !== undefined)
      tokens.push({ is: 'reference', text: reference.startsWith('.') ? reference : reference.slice(2, -1).trim() });
    else if (quoted !== undefined) tokens.push({ is: 'text', text: quoted.slice(1, -1) });
    else if (number !== undefined) tokens.push({ is: 'number', text: number });
    else if (name !== undefined) tokens.push({ is: 'name', text: name });
    else tokens.push({ is: 'sign', text: sign });
    at += all.length;
  }
  return tokens;
}

class Reader {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Term {
    const term = this.any();
    if (this.at < this.tokens.length) throw new Unknown();
    return term;
  }

  private any(): Term {
    return this.series('any', 'or', () => this.series('all', 'and', () => this.one()));
  }

  private series(is: 'all' | 'any', word: string, read: () => Term): Term {
    const terms = [read()];
    while (this.takes('name', word)) terms.push(read());
    const [only] = terms;
    return only && terms.length === 1 ? only : { is, terms };
  }

  private one(): Term {
    if (this.takes('sign', '(')) return this.closed(() => this.any());
    if (this.calls('not')) return { is: 'not', term: this.closed(() => this.any()) };
    for (const value of [true, false]) if (this.calls(String(value))) return this.closed(() => ({ is: 'constant', value }));
    if (this.calls('selected'))
      return this.closed(() => {
        const list = this.value();
        this.take('sign', ',');
        return { is: 'selected', list, item: this.value() };
      });
    const left = this.value();
    const sign = signs.find((each) => this.takes('sign', each));
    if (sign === undefined) throw new Unknown();
    return { is: 'comparison', left, sign, right: this.value() };
  }

  private value(): Value {
    if (this.calls('count-selected')) return this.closed(() => ({ is: 'count', name: this.take('reference') }));
    if (this.calls('count')) return this.closed(() => ({ is: 'items', name: this.take('reference') }));
    if (this.calls('string-length')) return this.closed(() => ({ is: 'length', name: this.take('reference') }));
    // A date is written as a text.
    if (this.calls('decimal-time')) return this.closed(() => this.value());
    if (this.calls('date') || this.calls('date-time')) return this.closed(() => ({ is: 'text', text: this.take('text') }));
    if (this.next()?.is === 'reference') return { is: 'answer', name: this.take('reference') };
    if (this.next()?.is === 'name') return { is: 'column', name: this.take('name') };
    return { is: 'text', text: this.literal() };
  }

  private literal(): string {
    return this.next()?.is === 'number' ? this.take('number') : this.take('text');
  }

  /** Reads up to the parenthesis that closes. */
  private closed<T>(read: () => T): T {
    if ((this.depth += 1) > maxDepth) throw new Unknown();
    const found = read();
    this.take('sign', ')');
    this.depth -= 1;
    return found;
  }

  private calls(name: string): boolean {
    const [called, opened] = [this.tokens[this.at], this.tokens[this.at + 1]];
    if (called?.is !== 'name' || called.text !== name || opened?.is !== 'sign' || opened.text !== '(') return false;
    this.at += 2;
    return true;
  }

  private next(): Token | undefined {
    return this.tokens[this.at];
  }

  private takes(is: Token['is'], text: string): boolean {
    const next = this.next();
    if (next?.is !== is || next.text !== text) return false;
    this.at += 1;
    return true;
  }

  private take(is: Token['is'], text?: string): string {
    const next = this.next();
    if (next?.is !== is || (text !== undefined && next.text !== text)) throw new Unknown();
    this.at += 1;
    return next.text;
  }
}

/** Conditions that are joined, as shortly as it can be said; undefined if one of them is unknown. */
export function joined(by: 'all' | 'any', conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const flat = conditions.flatMap((condition) => condition?.[by] ?? [condition]);
  const all = flat.filter((condition) => condition !== undefined);
  if (all.length < flat.length) return undefined;
  const known = withPlainComparisons(by, all);
  const [first] = known;
  if (!first) return undefined;
  if (known.length === 1) return first;
  if (
    by === 'any' &&
    known.every(({ key, equals }) => key === first.key && key !== undefined && typeof equals !== 'object' && equals !== undefined)
  )
    return { key: first.key, in: known.flatMap(({ equals }) => (equals === undefined || typeof equals === 'object' ? [] : [equals])) };
  return { [by]: known };
}

/**
 * Whether the two, joined by `any` or `all`, say that the answers to two questions are the same, or are not, as an XLSForm compares them: two that are
 * missing are the same.
 */
export function comparedAnswers(
  by: 'all' | 'any',
  { key, equals, not_equals }: Condition = {},
  { all, any }: Condition = {},
): { key: string; sign: '=' | '!='; other: string } | undefined {
  const [operand, unanswered] = by === 'any' ? [equals, all] : [not_equals, any];
  if (key === undefined || typeof operand !== 'object' || unanswered?.length !== 2) return undefined;
  const isPair = [key, operand.key].every((each, at) => unanswered[at]?.key === each && unanswered[at].answered === (by === 'all'));
  return isPair ? { key, sign: by === 'any' ? '=' : '!=', other: operand.key } : undefined;
}

/** `${a} = ${b} and ${a} != ''` is what a form itself means by equal answers. */
function withPlainComparisons(by: 'all' | 'any', conditions: readonly Condition[]): readonly Condition[] {
  const inner = by === 'all' ? 'any' : 'all';
  const left = new Set(conditions);
  const plain = new Map<Condition, Condition>();
  for (const condition of conditions) {
    const [comparison, unanswered] = condition[inner] ?? [];
    const compared = comparedAnswers(inner, comparison, unanswered);
    const isAnswered = compared && conditions.find(({ key, answered }) => key === compared.key && answered === (by === 'all'));
    if (!comparison || !isAnswered) continue;
    left.delete(isAnswered);
    plain.set(condition, comparison);
  }
  return plain.size === 0 ? conditions : [...left].map((condition) => plain.get(condition) ?? condition);
}

/** The same where some are decided whatever the answers are. */
export function folded(by: 'all' | 'any', outcomes: readonly (Condition | boolean | undefined)[]): Condition | boolean | undefined {
  const decisive = by === 'any';
  if (outcomes.includes(decisive)) return decisive;
  const open = outcomes.filter((outcome) => typeof outcome !== 'boolean');
  return open.length === 0 ? !decisive : joined(by, open);
}

/** The opposite of a condition. */
export function negated(condition: Condition): Condition {
  const { key, equals, not_equals, answered, not } = condition;
  if (not) return not;
  if (equals !== undefined) return { key, not_equals: equals };
  if (not_equals !== undefined) return { key, equals: not_equals };
  return answered === undefined ? { not: condition } : { key, answered: !answered };
}
