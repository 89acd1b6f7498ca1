/** The limits for patterns, in steps. Authors of forms write patterns, and our processes run them. */
export const patternSteps = { perField: 1_000, perForm: 5_000 } as const;

// A quoted literal, a character class, the start of a group, a counted repetition, or any other character, possibly escaped.
const part =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*(\]?)|\((?:\?(?:P?<\w+>|<[=!]|[^:)]*:?))?|\{(\d+)(?:,(\d*))?\}|[\s\S]/gu;

/**
 * The number of steps in a pattern with its repetitions expanded: one for each character, class, group and alternative. Compiling a pattern
 * takes time and memory in proportion to its steps, so this reads the text instead of compiling it. Invalid patterns have a size, too.
 */
export function patternSize(pattern: string): number {
  const outer: number[] = [];
  let before = 0;
  // The size of the part that a following repetition would repeat.
  let last = 0;
  for (const [text, end, least, most] of pattern.matchAll(part)) {
    if (least !== undefined) {
      const times = most === undefined ? Number(least) : most === '' ? Number(least) + 1 : Math.max(Number(least), Number(most));
      last *= Math.max(times, 1);
    } else if (text.startsWith('(')) {
      outer.push(before + last);
      before = 0;
      last = text === '(' || text.includes('<') ? 1 : 0;
    } else if (text === ')') {
      last += before;
      before = outer.pop() ?? 0;
    } else if (text === '*' || text === '+' || text === '?') {
      last += 1;
    } else {
      before += last;
      // A class that does not end is no class.
      last = text.startsWith('\\Q') || end === '' ? text.length : 1;
    }
  }
  return outer.reduce((sum, size) => sum + size, before + last);
}
