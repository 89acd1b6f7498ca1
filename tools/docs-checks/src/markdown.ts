/** A page of documentation. `path` is relative to the root of the repository. */
export interface Page {
  path: string;
  text: string;
}

export interface Fence {
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
    const [, mark, info = ''] = /^\s*(`{3,}|~{3,})([^`~].*)?$/.exec(line) ?? [];
    const [language = '', ...details] = info.trim().split(/\s+/);
    if (open) {
      if (mark?.startsWith(open.mark) && language === '') {
        fences.push({ language: open.language, file: open.file, code: open.lines.join('\n') });
        open = undefined;
      } else open.lines.push(line);
    } else if (mark !== undefined) open = { mark, language, file: details.find((word) => /[^.]\.[^.]/.test(word)), lines: [] };
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

/** The paths from the root of the repository that code spans consist of. */
export const pathsOf = ({ text }: Page): string[] =>
  [...split(text).prose.matchAll(codeSpan)].flatMap(([, span = '']) =>
    /^(?:apps|libs|tools|docs|deploy|proto|\.ci)\/[\w./-]+$/.test(span) ? span : [],
  );

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf({ text }: Page): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of split(text).prose.matchAll(/^ {0,3}#{1,6}\s(.*)$/gm)) {
    const plain = heading
      .trim()
      .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
      .toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let repeated = 1; anchors.has(anchor); repeated += 1) anchor = `${slug}-${repeated}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The fenced code blocks of a page, in order. */
export const fencesOf = ({ text }: Page): readonly Fence[] => split(text).fences;

/** The pictures of a page, each with the text for those who do not see it. */
export const picturesOf = ({ text }: Page): { alt: string; target: string }[] =>
  [...split(text).prose.matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, alt = '', target = '']) => ({ alt, target }));

/** The files that a guide tells its readers to save. */
export const savedFilesOf = ({ text }: Page): Set<string> => new Set(split(text).fences.flatMap(({ file }) => file ?? []));

const shells = new Set(['sh', 'bash', 'shell', 'console']);

/** The shell commands of a page: its shell blocks and its code spans. */
export function shellOf({ text }: Page): string[] {
  const { fences, prose } = split(text);
  const blocks = fences.filter(({ language }) => shells.has(language)).map(({ code }) => code);
  const spans = [...prose.matchAll(codeSpan)].map(([, code = '']) =>
    code
      .split('\n')
      .map((line) => line.trim())
      .join(' '),
  );
  return [...blocks, ...spans];
}
