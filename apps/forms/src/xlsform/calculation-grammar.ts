import { withPlainSigns } from './expressions';
import { maxLength } from './table';

// The part of XPath that calculations of XLSForms are written in. It is read by descent, in time in proportion to its length.

/** An expression that computes something. Operators are calls, too; a sign is the call `negative`, and `${q}[. != '']` the call `thoseThere`. */
export type Expression =
  | { is: 'number'; text: string }
  | { is: 'text'; text: string }
  | { is: 'name'; text: string }
  | { is: 'call'; of: string; parts: readonly Expression[] };

/** Of the answers to a question of a repeat, those that are there. No function has this name. */
export const thoseThere = "[. != '']";

/** Ends reading, as forms cannot compute the same. The message completes the sentence "it is left out, as …". */
export class NotKept extends Error {}

const token =
  /\s*(?:(\$\{\s*[^{}\s]+\s*\}|\.{1,2}\/[\w./-]+|\.{1,2}(?![\d.]))|('[^']*'|"[^"]*")|(\d+(?:\.\d*)?|\.\d+)|([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)|(!=|<=|>=|[-+*=<>(),[\]]))/y;

interface Token {
  is: 'name' | 'text' | 'number' | 'word' | 'sign' | 'end';
  text: string;
}

/** From the loosest on. Operators of one line are read from the left. */
const operators: readonly (readonly string[])[] = [['or'], ['and'], ['=', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', 'div', 'mod']];

/** More than any formula may have, and far from exhausting the stack. */
const maxDepth = 40;

/** @throws NotKept for what is no expression of this kind */
export function readCalculation(written: string): Expression {
  if (written.length > maxLength) throw new NotKept(`it has more than ${maxLength} characters`);
  return new Reader(tokensIn(withPlainSigns(written).trim())).whole();
}

/** The questions that an expression names. */
export const namesIn = (expression: Expression): readonly string[] =>
  expression.is === 'call' ? expression.parts.flatMap(namesIn) : expression.is === 'name' ? [expression.text] : [];

const unreadable = 'it is no expression that can be read';

function tokensIn(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) throw new NotKept(unreadable);
    const [, reference, quoted, number, word, sign = ''] = found;
    if (reference !== undefined) tokens.push({ is: 'name', text: reference.startsWith('.') ? reference : reference.slice(2, -1).trim() });
    else if (quoted !== undefined) tokens.push({ is: 'text', text: quoted.slice(1, -1) });
    else if (number !== undefined) tokens.push({ is: 'number', text: number.replace(/\.$/, '') });
    else if (word !== undefined) tokens.push({ is: 'word', text: word });
    else tokens.push({ is: 'sign', text: sign });
  }
  return tokens;
}

const end: Token = { is: 'end', text: '' };

class Reader {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Expression {
    const expression = this.series(0);
    if (this.next().is !== 'end') throw new NotKept(unreadable);
    return expression;
  }

  private series(level: number): Expression {
    const line = operators[level];
    if (!line) return this.signed();
    let left = this.series(level + 1);
    for (;;) {
      const { is, text } = this.next();
      if ((is !== 'sign' && is !== 'word') || !line.includes(text)) return left;
      this.at += 1;
      left = { is: 'call', of: text, parts: [left, this.series(level + 1)] };
    }
  }

  private signed(): Expression {
    return this.takes('-') ? { is: 'call', of: 'negative', parts: [this.deeper(() => this.signed())] } : this.value();
  }

  private value(): Expression {
    const { is, text } = this.next();
    this.at += 1;
    if (is === 'name') return this.filtered({ is, text });
    if (is === 'text' || is === 'number') return { is, text };
    if (is === 'sign' && text === '(') {
      const inner = this.deeper(() => this.series(0));
      this.take(')');
      return inner;
    }
    if (is !== 'word') throw new NotKept(unreadable);
    if (!this.takes('(')) throw new NotKept(`"${text.slice(0, 64)}" is neither a question nor a text`);
    return { is: 'call', of: text.toLowerCase(), parts: this.deeper(() => this.values()) };
  }

  /** The name, or those of its answers that are there: no other predicate is read. */
  private filtered(name: Expression): Expression {
    if (!this.takes('[')) return name;
    this.take('.', 'name');
    this.take('!=');
    this.take('', 'text');
    this.take(']');
    return { is: 'call', of: thoseThere, parts: [name] };
  }

  private values(): Expression[] {
    const values: Expression[] = [];
    if (this.takes(')')) return values;
    do values.push(this.series(0));
    while (this.takes(','));
    this.take(')');
    return values;
  }

  private deeper<T>(read: () => T): T {
    if ((this.depth += 1) > maxDepth) throw new NotKept('its parentheses are too deep');
    const found = read();
    this.depth -= 1;
    return found;
  }

  private next(): Token {
    return this.tokens[this.at] ?? end;
  }

  private takes(wanted: string, kind: Token['is'] = 'sign'): boolean {
    const { is, text } = this.next();
    if (is !== kind || text !== wanted) return false;
    this.at += 1;
    return true;
  }

  private take(wanted: string, kind?: Token['is']): void {
    if (!this.takes(wanted, kind)) throw new NotKept(unreadable);
  }
}
