/** A fenced code block of a guide. */
export interface Block {
  /** The line of its opening fence. */
  line: number;
  language: string;
  /** The file that the reader saves it as. */
  file: string | undefined;
  /** Further words after the language, such as `background`. */
  words: readonly string[];
  code: string;
}

/** Returns the fenced code blocks of a page in order. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: (Omit<Block, 'code'> & { lines: string[]; indent: string }) | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', info] = /^(\s*)```(.*)$/.exec(line) ?? [];
    if (open && info?.trim() === '') {
      blocks.push({ line: open.line, language: open.language, file: open.file, words: open.words, code: open.lines.join('\n') });
      open = undefined;
    } else if (open) open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    else if (info !== undefined) {
      const [language = '', ...words] = info.trim().split(/\s+/);
      const file = words.find((word) => word.includes('.'));
      open = { line: index + 1, language, file, words: words.filter((word) => word !== file), lines: [], indent };
    }
  }
  if (open) throw new Error(`the block at line ${open.line} is not closed`);
  return blocks;
}
