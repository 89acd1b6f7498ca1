import type { FormulaFault } from './faults';
import {
  bounds,
  functionNames,
  operators,
  tightness,
  tightnessOfNot,
  tightnessOfSign,
  type FunctionName,
  type Operator,
  type Tree,
} from './tree';

/** Ends reading at the first fault. */
export class Refused extends Error {
  constructor(readonly fault: FormulaFault) {
    super(fault.code);
  }
}

interface Token {
  kind: 'number' | 'text' | 'word' | 'mark' | 'end';
  text: string;
  at: number;
}

/** Each alternative begins with another character, and none can be left once it has begun, so the time is in proportion to the text. */
const shapes = /\s+|(\d+(?:\.\d+)?|\.\d+)|([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)|(<=|>=|!=|[-+*/%=<>(),])/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const mark = text.charAt(at);
    if (mark === "'" || mark === '"') {
      const [value, end] = quoted(text, at, mark);
      tokens.push({ kind: 'text', text: value, at });
      at = end;
      continue;
    }
    shapes.lastIndex = at;
    const [whole, number, word, sign] = shapes.exec(text) ?? [];
    if (whole === undefined) throw new Refused({ code: 'character_unknown', at, found: String.fromCodePoint(text.codePointAt(at) ?? 0) });
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    if (word !== undefined) tokens.push({ kind: 'word', text: word, at });
    if (sign !== undefined) tokens.push({ kind: 'mark', text: sign, at });
    at += whole.length;
  }
  tokens.push({ kind: 'end', text: '', at });
  return tokens;
}

/** A text in quotation marks, which stand twice where the text has one. */
function quoted(text: string, from: number, mark: string): [value: string, end: number] {
  let value = '';
  let at = from + 1;
  for (;;) {
    const end = text.indexOf(mark, at);
    if (end < 0) throw new Refused({ code: 'text_unclosed', at: from });
    value += text.slice(at, end);
    if (text.charAt(end + 1) !== mark) return [value, end + 1];
    value += mark;
    at = end + 2;
  }
}

const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text);
const isFunction = (text: string): text is FunctionName => (functionNames as readonly string[]).includes(text);
const isComparison = (operator: Operator): boolean => tightness[operator] === tightness['='];

/** The formula as a tree. @throws Refused */
export function parseFormula(text: string): Tree {
  if (text.length > bounds.characters) throw new Refused({ code: 'too_long', at: bounds.characters });
  const parser = new Parser(tokensOf(text));
  return parser.whole();
}

/** Reads by the tightness of operators (Pratt). */
class Parser {
  private place = 0;
  private parts = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Tree {
    const tree = this.expression(0);
    const next = this.next();
    if (next.kind !== 'end') throw new Refused({ code: 'end_expected', at: next.at });
    return tree;
  }

  private next(): Token {
    const token = this.tokens[Math.min(this.place, this.tokens.length - 1)];
    if (!token) throw new Error('a formula without an end');
    return token;
  }

  private take(): Token {
    const token = this.next();
    this.place += 1;
    return token;
  }

  private isNext(mark: string): boolean {
    const { kind, text } = this.next();
    return kind === 'mark' && text === mark;
  }

  private expect(mark: string): void {
    if (!this.isNext(mark)) throw new Refused({ code: 'mark_expected', at: this.next().at, expected: mark });
    this.place += 1;
  }

  private made<T extends Tree>(tree: T): T {
    this.parts += 1;
    if (this.parts > bounds.parts) throw new Refused({ code: 'too_many_parts', at: tree.at });
    return tree;
  }

  private expression(least: number): Tree {
    this.depth += 1;
    if (this.depth > bounds.depth) throw new Refused({ code: 'too_deep', at: this.next().at });
    let left = this.beginning();
    let compared = false;
    for (;;) {
      const { kind, text, at } = this.next();
      if ((kind !== 'mark' && kind !== 'word') || !isOperator(text)) break;
      const tight = tightness[text];
      if (tight <= least) break;
      // `1 < x < 5` compares the outcome of the first with 5.
      if (isComparison(text) && compared) throw new Refused({ code: 'not_chained', at });
      this.place += 1;
      const right = this.expression(tight);
      compared = isComparison(text);
      left = this.made({ kind: 'call', of: text, parts: [left, right], at });
    }
    this.depth -= 1;
    return left;
  }

  private beginning(): Tree {
    const { kind, text, at } = this.take();
    if (kind === 'number') return this.made({ kind, value: text, at });
    if (kind === 'text') return this.made({ kind, value: text, at });
    if (kind === 'mark' && text === '(') {
      const inner = this.expression(0);
      this.expect(')');
      return inner;
    }
    if (kind === 'mark' && text === '-') return this.made({ kind: 'call', of: 'negative', parts: [this.expression(tightnessOfSign)], at });
    if (kind !== 'word' || isOperator(text)) throw new Refused({ code: 'value_expected', at });
    if (text === 'not') return this.made({ kind: 'call', of: 'not', parts: [this.expression(tightnessOfNot)], at });
    if (text === 'true' || text === 'false') return this.made({ kind: 'truth', value: text === 'true', at });
    if (!this.isNext('(')) return this.made({ kind: 'name', key: text, at });
    if (!isFunction(text)) throw new Refused({ code: 'function_unknown', at, name: text });
    return this.made({ kind: 'call', of: text, parts: this.values(), at });
  }

  private values(): Tree[] {
    this.expect('(');
    const values: Tree[] = [];
    if (!this.isNext(')')) {
      values.push(this.expression(0));
      while (this.isNext(',')) {
        this.place += 1;
        values.push(this.expression(0));
      }
    }
    this.expect(')');
    return values;
  }
}

const words: ReadonlySet<string> = new Set(['and', 'or', 'not', 'true', 'false']);

/** The text of a formula with other names in place of some, otherwise as its author wrote it. One that cannot be read stays as it is. */
export function withNames(text: string, now: (key: string) => string): string {
  const tokens = readable(text);
  return tokens.reduceRight((changed, token, index) => {
    const follower = tokens[index + 1];
    if (token.kind !== 'word' || words.has(token.text) || follower?.text === '(') return changed;
    return changed.slice(0, token.at) + token.text.split('.').map(now).join('.') + changed.slice(token.at + token.text.length);
  }, text);
}

function readable(text: string): Token[] {
  try {
    return tokensOf(text.slice(0, bounds.characters));
  } catch {
    return [];
  }
}
