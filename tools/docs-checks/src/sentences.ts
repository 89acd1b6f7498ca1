/** A file of the repository with text that people read. `path` is relative to the root of the repository. */
export interface TextFile {
  path: string;
  text: string;
}

interface Passage {
  line: number;
  text: string;
}

/**
 * The sentences that begin with a clause or with a vague word in place of their subject ("What is missing is added", "Whoever asks waits",
 * "Where none runs, …"), as `<path>:<line>: <sentence>`. A reader then learns at the end of the sentence what it is about. Questions may.
 */
export function vagueSentences(file: TextFile): string[] {
  return passagesOf(file).flatMap(({ line, text }) =>
    sentencesOf(text)
      .filter(isVague)
      .map((sentence) => `${file.path}:${String(line)}: ${sentence}`),
  );
}

const vague = /^(?:Wh(?:at|o|ose|ere)(?:ever)?|Whichever|Nobody|Somebody|Of (?:what|which|whom|whose)) [a-z]/;
const isVague = (sentence: string): boolean => vague.test(sentence) && !/\?[*”"')]{0,3}$/.test(sentence);

const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?][*”"')]{0,3})\s+(?=[*“"(`]*\p{Lu})/u).map((sentence) => sentence.trim().replace(/^[*_“"(]+/, ''));

function passagesOf({ path, text }: TextFile): Passage[] {
  const lines = text.split('\n');
  if (path.endsWith('.md')) return paragraphsOf(lines);
  if (/\.(?:ya?ml|sh|conf|toml)$|ignore$|file$/.test(path)) return passages(lines, (line) => /^\s*#+\s(.*)$/.exec(line)?.[1]);
  return [
    ...passages(lines, (line) => /^\s*(?:\/\*\*?|\*|\/\/)\s(.*)$/.exec(line)?.[1]?.replace(/\*\/$/, '').trimEnd()),
    ...lines.flatMap((line, index) => {
      const at = line.indexOf(' // ');
      const comment = at < 0 || line.slice(0, at).trim() === '' ? '' : line.slice(at + 4);
      const [, , name = ''] = /^\s*(?:it|test|describe)(?:\.\w+)?\((['"`])(.*?)\1/.exec(line) ?? [];
      // A name in lower case may go on with the one that it is in: "a list", "whose end is not known".
      const whole = /^(?:what |nobody|somebody|who(?:ever)? (?!are |is |has ))/.test(name)
        ? name.charAt(0).toUpperCase() + name.slice(1)
        : name;
      return [comment, whole].map((said) => ({ line: index + 1, text: said }));
    }),
  ];
}

/** The runs of lines of which `read` returns a text, each as one text. */
function passages(lines: readonly string[], read: (line: string) => string | undefined): Passage[] {
  const found: Passage[] = [];
  let open: Passage | undefined;
  lines.forEach((line, index) => {
    const text = read(line);
    if (text === undefined) open = undefined;
    else if (open && !/^\s*\/\*/.test(line)) open.text += ` ${text}`;
    else found.push((open = { line: index + 1, text }));
  });
  return found;
}

/** The paragraphs, items, headings and cells of a page, without its blocks of code. */
function paragraphsOf(lines: readonly string[]): Passage[] {
  const found: Passage[] = [];
  let open: Passage | undefined;
  let isCode = false;
  lines.forEach((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const text = line.replace(/^\s*(?:[-*>]|\d+\.|#+)\s+/, '').trim();
    if (isCode || text === '' || line.startsWith('|') || line.startsWith('#')) open = undefined;
    if (isCode || text === '') return;
    if (line.startsWith('|')) found.push(...text.split('|').map((cell) => ({ line: index + 1, text: cell.trim() })));
    else if (open && !/^\s*(?:[-*>]|\d+\.)\s/.test(line)) open.text += ` ${text}`;
    else {
      found.push({ line: index + 1, text });
      open = line.startsWith('#') ? undefined : found.at(-1);
    }
  });
  return found;
}
