import { Problem } from '@sheaf/kernel';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesIn } from './files-in';
import { readAll } from './read-all';
import { reportOf } from './report-of';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xlsforms-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Reads the first letter of a file. */
const reader = {
  read: (file: Buffer) =>
    Promise.resolve(file.toString()).then((text) => {
      if (text.startsWith('b')) throw Problem.badRequest('file: must be an XLSX workbook, not encrypted');
      if (text.startsWith('f')) throw new Error('out of order');
      const warnings = text.startsWith('l')
        ? [
            { sheet: 'survey', row: 2, message: 'the type "rank" is not supported; the question is left out', loses: 'question' as const },
            {
              sheet: 'survey',
              row: 3,
              message: 'the condition "${a} = 1" is not supported; it is always met',
              loses: 'condition' as const,
            },
            {
              sheet: 'survey',
              row: 4,
              message: 'the condition "${b} = 2" is not supported; it is always met',
              loses: 'condition' as const,
            },
          ]
        : [];
      return { document: {} as never, warnings };
    }),
};

it('a folder is read with the folders in it, and a broken file stops nothing', async () => {
  await mkdir(join(folder, 'in'));
  await writeFile(join(folder, 'broken.xlsx'), 'b');
  await writeFile(join(folder, 'failing.xlsx'), 'f');
  await writeFile(join(folder, 'in/losing.XLSX'), 'l');
  await writeFile(join(folder, 'in/whole.xlsx'), 'w');
  await writeFile(join(folder, 'large.xlsx'), '');
  await truncate(join(folder, 'large.xlsx'), 8 * 1_024 * 1_024 + 1);
  await writeFile(join(folder, '~$whole.xlsx'), 'f');
  await writeFile(join(folder, 'notes.txt'), 'f');
  await symlink(join(folder, 'failing.xlsx'), join(folder, 'link.xlsx'));

  const outcomes = await readAll(await filesIn(folder), reader);
  expect(outcomes.map(({ file, warnings, refused, failed }) => [file, warnings?.length ?? refused ?? failed])).toEqual([
    ['broken.xlsx', 'file: must be an XLSX workbook, not encrypted'],
    ['failing.xlsx', 'out of order'],
    ['in/losing.XLSX', 3],
    ['in/whole.xlsx', 0],
    ['large.xlsx', 'file: must have at most 8 MiB'],
  ]);
});

it('the report counts by file, by cause and in sum, and shows no control characters of foreign files', () => {
  const condition = (row: number) => ({
    sheet: 'survey',
    row,
    message: `the condition "\${a} = ${row}" is not supported; it is always met`,
    loses: 'condition' as const,
  });
  const report = reportOf([
    { file: 'a\u001b[31m.xlsx', warnings: [condition(2), condition(3)] },
    { file: 'b.xlsx', warnings: [condition(2)] },
    { file: 'c.xlsx', refused: 'survey row 2: begins a group that does not end' },
    { file: 'd.xlsx', failed: 'out of order' },
  ]);
  expect(report).not.toContain('\u001b[31m');
  expect(report).toMatch(/\(condition\) the condition "…" is not supported; it is always met *│ 2 *│ 3/);
  expect(report).toContain('2 of 4 files are imported, 1 are refused');
  expect(report).toContain('2 files lose conditions: 3 in all');
  expect(report).toContain('0 files lose questions that are not asked: 0 in all');
  expect(report).toContain('1 files could not be read: the reader failed');
  expect(report).toContain('refused: survey row 2: begins a group that does not end');
});
