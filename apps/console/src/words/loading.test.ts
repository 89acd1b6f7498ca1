import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const source = join(__dirname, '..');
const read = (file: string) => readFileSync(join(source, file), 'utf8');

/** The file that another one means by a relative name; none for style sheets and packages. */
function resolved(from: string, name: string): string | undefined {
  const path = join(dirname(from), name);
  return ['.ts', '.tsx'].map((extension) => path + extension).find((file) => existsSync(join(source, file)));
}

/** The parts that are loaded later with words of their own: the file, and the parts of the words. */
const laterIn = (file: string) =>
  [...read(file).matchAll(/withWords\(\s*\[([^\]]*)\],\s*\(\) =>\s*import\('([^']+)'\)/g)].map(([, parts = '', name = '']) => ({
    file: resolved(file, name) ?? name,
    parts: [...parts.matchAll(/\w+/g)].map(([part]) => part),
  }));

/** Every file that a file needs, now or later, but for those that are loaded with words of their own. */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const withWords = new Set(laterIn(file).map((later) => later.file));
  for (const [, name = ''] of read(file).matchAll(/(?:^import (?!type)[^;]*from |^export [^;]*from |import\()'(\.[^']+)'/gm)) {
    const needed = resolved(file, name);
    if (needed !== undefined && !withWords.has(needed)) filesOf(needed, found);
  }
  return found;
}

const start = filesOf('main.tsx');
const later = [...start].flatMap(laterIn);
for (const { file } of later) for (const needed of filesOf(file)) if (!start.has(needed)) later.push(...laterIn(needed));

it.each([{ file: 'main.tsx', parts: [] as string[] }, ...later])(
  'what $file draws has its words when it is drawn: a dialog that waits for them fails',
  ({ file, parts }) => {
    const said = [...filesOf(file)].flatMap((each) => [...read(each).matchAll(/useWords\('(\w+)'\)/g)].map(([, part]) => part));
    expect([...new Set(said)].filter((part) => part !== 'everywhere' && !parts.includes(part ?? ''))).toEqual([]);
  },
);
