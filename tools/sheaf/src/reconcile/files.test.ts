import { newId } from '@sheaf/kernel';
import { checkFiles } from './files';
import { Findings } from './findings';

async function check(parts: Record<string, object[]>) {
  const asked: string[][] = [];
  const runCommand = (_app: string, [command = '', ...options]: readonly string[]) => {
    asked.push([command, ...options]);
    return Promise.resolve({ ...parts[command]?.shift() });
  };
  const findings = new Findings();
  const checking = { context: { runCommand }, before: new Date(), repair: true, pageSize: 10, progress: () => undefined };
  const files = await checkFiles(checking, findings);
  return { files, asked, findings: findings.list() };
}

it('names lost files by their submissions, and uploads that nobody submitted by themselves, part by part', async () => {
  const [submission, upload, last] = [newId(), newId(), newId()];
  const lost = [
    { id: newId(), submission_id: submission },
    { id: newId(), submission_id: submission },
  ];
  const { files, asked, findings } = await check({
    'list-lost-files': [
      { files: 2, last, count: 2, lost },
      { files: 1, last: null, count: 1, lost: [{ id: upload, submission_id: null }] },
    ],
    'list-unknown-files': [{ files: 1, last: null, count: 1, unknown: ['a/b/c'] }],
  });
  expect(files).toBe(3);
  expect(asked[1]).toContain(`--after=${last}`);
  expect(findings).toEqual([
    { kind: 'file_missing', count: 3, mended: 0, ids: [submission, upload] },
    { kind: 'file_unknown', count: 1, mended: 0, ids: ['a/b/c'] },
  ]);
});

it('leaves files out where no storage is configured', async () => {
  await expect(check({ 'list-lost-files': [{ files: null }] })).resolves.toMatchObject({ files: null, findings: [] });
});
