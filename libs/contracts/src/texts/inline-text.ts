import { linkTarget } from './link-target';
import { pipeOf, pipeSource, type Pipe } from './piping';

/** A part of a line. A string is text, with every character that it has. */
export type Inline =
  | string
  | { kind: 'break' }
  | Pipe
  | { kind: 'emphasis' | 'strong'; content: Inline[] }
  | { kind: 'link'; href: string; content: Inline[] };

/** Marks that are open at once. The oldest gives way, so that a text of marks alone costs no more than another of its length. */
const mostOpen = 8;

/** A mark that may still find its end. */
interface Open {
  mark: string;
  content: Inline[];
}

/** Bare addresses are one piece, because their underscores and asterisks mark nothing. */
const pieces = /\\[*_[\]]|\*+|_+|\[|\]|\n|https?:\/\/[^\s<>()[\]*]*[^\s<>()[\]*_.,;:!?]|(?:(?!https?:\/\/)[^\\*_[\]\n])+|[^]/gy;

/** The same with pipes as pieces of their own, for the underscores of keys, and also within addresses. */
const piecesWithPipes = new RegExp(
  `${pipeSource}|${pieces.source
    .replace(String.raw`[^\s<>()[\]*]*[^`, `(?:(?!${pipeSource})[^\\s<>()[\\]*])*(?!${pipeSource})[^`)
    .replace(String.raw`(?!https?:\/\/)`, `(?!https?:\\/\\/|${pipeSource})`)}`,
  'gy',
);

const isPipe = new RegExp(`^${pipeSource}$`);

/**
 * Reads emphasis (`*` or `_`), strong emphasis (twice as many), links and line breaks. Marks without an end are text.
 * @param hasPipes whether the text may show answers
 */
export function readInline(source: string, hasPipes = false): Inline[] {
  const pattern = hasPipes ? piecesWithPipes : pieces;
  const whole: Inline[] = [];
  const open: Open[] = [];
  const here = (): Inline[] => open.at(-1)?.content ?? whole;
  /** The marks above a position turn out to be text. */
  const giveUp = (above: number) => {
    const given = open.splice(above);
    append(
      here(),
      given.flatMap(({ mark, content }) => [mark, ...content]),
    );
  };
  const begin = (mark: string) => {
    const [oldest] = open.length === mostOpen ? open.splice(0, 1) : [];
    if (oldest) append(whole, [oldest.mark, ...oldest.content]);
    open.push({ mark, content: [] });
  };
  for (let at = 0; at < source.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0] ?? '';
    const next = at + text.length;
    if (text === '\n') append(here(), [{ kind: 'break' }]);
    else if (hasPipes && isPipe.test(text)) append(here(), [pipeOf(text)]);
    else if (text === '[') begin(text);
    else if (text === ']') {
      const found = linkTarget(source, next);
      const position = open.findLastIndex(({ mark }) => mark === '[');
      if (position === -1) append(here(), [text]);
      else {
        giveUp(position + 1);
        const content = open.pop()?.content ?? [];
        if (found) {
          // A link has no link in it.
          append(here(), [{ kind: 'link', href: found.href, content: withoutLinks(content) }]);
          pattern.lastIndex = found.end;
          continue;
        }
        append(here(), ['[', ...content, text]);
      }
    } else if (/^[*_]/.test(text)) {
      const { canOpen, canClose } = sidesOf(text, source, at, next);
      const position = canClose ? open.findLastIndex(({ mark }) => mark === text || mark === '[') : -1;
      if (open[position]?.mark === text) {
        giveUp(position + 1);
        const content = open.pop()?.content ?? [];
        append(here(), marked(text, content));
      } else if (canOpen && text.length <= 3) begin(text);
      else append(here(), [text]);
    } else append(here(), [text.length === 2 && text.startsWith('\\') ? text.slice(1) : text]);
    pattern.lastIndex = next;
  }
  giveUp(0);
  return whole;
}

const marked = (mark: string, content: Inline[]): Inline[] => {
  if (mark.length === 1) return [{ kind: 'emphasis', content }];
  return [{ kind: 'strong', content: mark.length === 2 ? content : [{ kind: 'emphasis', content }] }];
};

/** Adds parts, and joins texts that stand beside each other. */
function append(to: Inline[], parts: readonly Inline[]): void {
  for (const part of parts) {
    const last = to.at(-1);
    if (typeof part === 'string' && typeof last === 'string') to[to.length - 1] = last + part;
    else to.push(part);
  }
}

const withoutLinks = (content: readonly Inline[]): Inline[] =>
  content.flatMap((part): Inline[] => {
    if (typeof part === 'string' || part.kind === 'break' || part.kind === 'pipe') return [part];
    return part.kind === 'link' ? withoutLinks(part.content) : [{ ...part, content: withoutLinks(part.content) }];
  });

/** Letters and digits of scripts that put spaces between words. */
const isOfWord = (character: string): boolean =>
  /[\p{L}\p{N}]/u.test(character) && !/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}]/u.test(character);

/**
 * A mark begins or ends something only at the edge of a word: in `5*3*2` and `first_name` it is text. Nor does it stand for itself, as in
 * `(*)` and `"*"`.
 */
function sidesOf(mark: string, source: string, from: number, to: number): { canOpen: boolean; canClose: boolean } {
  // Half of a character that is two units long counts as a sign.
  const before = /.$/su.exec(source.slice(Math.max(0, from - 2), from))?.[0] ?? ' ';
  const after = /^./su.exec(source.slice(to, to + 2))?.[0] ?? ' ';
  if (mark.length > 3 || before === after) return { canOpen: false, canClose: false };
  return {
    canOpen: !/[\s\p{Pe}\p{Pf}.,;:!?]/u.test(after) && !isOfWord(before),
    canClose: !/[\s\p{Ps}\p{Pi}]/u.test(before) && !isOfWord(after),
  };
}
