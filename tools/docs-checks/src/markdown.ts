/** A page of documentation. `path` is relative to the root of the repository. */
export interface Page {
  path: string;
  text: string;
}

interface Fence {
  language: string;
  /** Under which name a reader of a guide saves the block. */
  file: string | undefined;
  code: string;
}

/** Splits a page into its fenced code blocks and the prose around them. */
function split(text: string): { fences: Fence[]; prose: string } {
  const fences: Fence[] = [];
  const prose: string[] = [];
  let open: { mark: string; language: string; file: string | undefined; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})\s*(\S*)(?:.*?\s(\S+\.\S+))?/.exec(line);
    if (open) {
      if (mark?.[1]?.startsWith(open.mark) && mark[2] === '') {
        fences.push({ language: open.language, file: open.file, code: open.lines.join('\n') });
        open = undefined;
      } else open.lines.push(line);
    } else if (mark) open = { mark: mark[1] ?? '', language: mark[2] ?? '', file: mark[3], lines: [] };
    else prose.push(line);
  }
  return { fences, prose: prose.join('\n') };
}

// A span may continue on the next line, but not in the next paragraph.
const codeSpan = /`((?:(?!\n\s*\n)[^`])+)`/g;

/** The targets of all links and images, in order. */
export function linksOf({ text }: Page): string[] {
  const prose = split(text).prose.replace(codeSpan, 'code');
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const references = [...prose.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/gm)];
  return [...inline, ...references].map(([, target = '']) => target);
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf({ text }: Page): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of split(text).prose.matchAll(/^ {0,3}#{1,6}\s+(.*?)\s*#*$/gm)) {
    const plain = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let repeated = 1; anchors.has(anchor); repeated += 1) anchor = `${slug}-${repeated}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The files that a guide tells its readers to save. */
export const savedFilesOf = ({ text }: Page): Set<string> => new Set(split(text).fences.flatMap(({ file }) => file ?? []));

const shells = new Set(['sh', 'bash', 'shell', 'console']);

/** The shell commands of a page: its shell blocks and its code spans. */
export function shellOf({ text }: Page): string[] {
  const { fences, prose } = split(text);
  const blocks = fences.filter(({ language }) => shells.has(language)).map(({ code }) => code);
  const spans = [...prose.matchAll(codeSpan)].map(([, code = '']) => code.replace(/\s*\n\s*/g, ' '));
  return [...blocks, ...spans];
}
