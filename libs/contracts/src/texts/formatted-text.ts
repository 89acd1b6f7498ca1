import { readInline, type Inline } from './inline-text';
import { escapedPipes, type Pipe } from './piping';

export type { Inline } from './inline-text';

/** A part of a longer text of an author. `start` is the first number of a numbered list; lists with bullets have none. */
export type Block = { kind: 'paragraph'; content: Inline[] } | { kind: 'list'; start: number | undefined; items: Block[][] };

/** A list may stand in an item, and a further one in that. Deeper ones are read as lines. */
const deepestList = 3;

/**
 * Reads the Markdown of an author's longer text: paragraphs, line breaks, lists, emphasis and links (decision 0072). Everything else, HTML
 * above all, is text. The result is no markup, so that whoever shows it decides about each tag.
 * @param hasPipes whether the text may show answers
 */
export const readFormattedText = (source: string, hasPipes = false): Block[] =>
  blocksIn(source.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n'), deepestList, hasPipes);

/** The same for a label, which stands in a line and has no lists, and may always show answers. */
export const readFormattedLabel = (source: string): Inline[] => readInline(source.replaceAll(/\r\n?/g, '\n'), true);

function blocksIn(lines: readonly string[], depth: number, hasPipes: boolean): Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  const closeParagraph = () => {
    if (open.length > 0) blocks.push({ kind: 'paragraph', content: readInline(open.join('\n'), hasPipes) });
    open = [];
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const list = depth === 0 ? undefined : listAt(lines, at, depth, hasPipes);
    if (list) {
      closeParagraph();
      blocks.push(list.block);
      at = list.end;
      continue;
    }
    if (line.trim() === '') closeParagraph();
    else open.push(line.trim());
    at += 1;
  }
  closeParagraph();
  return blocks;
}

interface Marker {
  indent: number;
  bullet: string;
  number: number | undefined;
  rest: string;
}

function markerOf(line: string): Marker | undefined {
  const [, space = '', bullet, number, end, rest = ''] = /^( {0,3})(?:([-*+])|(\d{1,9})([.)])) +(\S.*)$/.exec(line) ?? [];
  if (bullet !== undefined) return { indent: space.length, bullet, number: undefined, rest };
  return end === undefined ? undefined : { indent: space.length, bullet: end, number: Number(number), rest };
}

const indentOf = (line: string): number => line.search(/\S/);

/**
 * The list that begins on a line. Its items have the same bullet, or numbers that count up or are all the same. One item alone is no list:
 * "24. December" and "* required" are sentences.
 */
function listAt(lines: readonly string[], from: number, depth: number, hasPipes: boolean): { block: Block; end: number } | undefined {
  const first = markerOf(lines[from] ?? '');
  if (!first) return undefined;
  const items = [[first.rest]];
  let last = first;
  let end = from + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    // A blank line belongs to the list only if the list goes on behind it.
    if (line.trim() === '') continue;
    const isBelow = indentOf(line) >= first.indent + 2;
    const marker = isBelow ? undefined : markerOf(line);
    if (marker && goesOn(first, last, marker)) {
      items.push([marker.rest]);
      last = marker;
    } else if (isBelow) items.at(-1)?.push(...(at > end ? [''] : []), line);
    else break;
    end = at + 1;
  }
  if (items.length < 2) return undefined;
  return { block: { kind: 'list', start: first.number, items: items.map((item) => blocksIn(dedented(item), depth - 1, hasPipes)) }, end };
}

const goesOn = (first: Marker, last: Marker, next: Marker): boolean =>
  next.bullet === first.bullet &&
  (next.number === undefined || last.number === undefined
    ? next.number === last.number
    : next.number === last.number + 1 || (next.number === first.number && last.number === first.number));

function dedented([text = '', ...below]: readonly string[]): string[] {
  const indent = below.reduce((least, line) => (line === '' ? least : Math.min(least, indentOf(line))), Infinity);
  return [text, ...below.map((line) => line.slice(indent))];
}

/** A label without its marks and without the addresses of its links, as for the head of a column. It shows the same answers. */
export const plainLabel = (source: string): string => plainInline(readFormattedLabel(source));

const plainInline = (content: readonly Inline[]): string =>
  content
    .map((part) => {
      if (typeof part === 'string') return escapedPipes(part);
      if (part.kind === 'break') return '\n';
      return part.kind === 'pipe' ? part.source : plainInline(part.content);
    })
    .join('');

/** The places of answers in the parts of a line. */
export const pipesOfLine = (content: readonly Inline[]): Pipe[] =>
  content.flatMap((part) => {
    if (typeof part === 'string' || part.kind === 'break') return [];
    return part.kind === 'pipe' ? [part] : pipesOfLine(part.content);
  });

export const pipesOfBlocks = (blocks: readonly Block[]): Pipe[] =>
  blocks.flatMap((block) => (block.kind === 'paragraph' ? pipesOfLine(block.content) : block.items.flatMap(pipesOfBlocks)));
