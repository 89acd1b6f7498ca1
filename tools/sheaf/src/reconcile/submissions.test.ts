import { newId } from '@sheaf/kernel';
import { Failure } from '../failure';
import { Findings } from './findings';
import { checkSubmissions } from './submissions';

/** Answers of services to the commands that read one page of submissions; `marked` collects what is written down about versions. */
function services({ lost, erasedForms = [] }: { lost: number[]; erasedForms?: string[] }) {
  const form = newId();
  const versions = [1, 2].map((version) => ({
    form_id: form,
    version,
    version_id: newId(),
    submissions: 3,
    oldest: new Date().toISOString(),
  }));
  const marked: unknown[] = [];
  const answers: Record<string, (stdin: string) => object> = {
    'list-stored': () => ({ submissions: 6, last: null, versions, announced: [] }),
    'list-missing-versions': () => ({ missing: lost.map((version) => ({ place: version - 1, has_form: true })) }),
    'list-forms-with-submissions': (stdin) => ({ forms: (JSON.parse(stdin) as string[]).filter((id) => !erasedForms.includes(id)) }),
    'mark-missing-versions': (stdin) => ({ versions: marked.push(...(JSON.parse(stdin) as unknown[])) }),
  };
  const runCommand = (_app: string, [command = '']: readonly string[], stdin = '') => Promise.resolve({ ...answers[command]?.(stdin) });
  const checking = { context: { runCommand }, before: new Date(), repair: false, pageSize: 10, progress: () => undefined };
  return { form, versions, marked, checking, erasedForms };
}
const markOf = ({ form_id, version, version_id }: { form_id: string; version: number; version_id: string }, is_missing: boolean) => ({
  form_id,
  version,
  version_id,
  is_missing,
});

it('writes down which versions are missing and which are there, so that submissions tells of the missing ones', async () => {
  const { versions, marked, checking } = services({ lost: [2] });
  const findings = new Findings();
  await checkSubmissions(checking, findings, undefined);
  expect(findings.list()).toEqual([{ kind: 'version_missing', count: 3, mended: 0, ids: [versions[1]?.version_id] }]);
  expect(marked).toHaveLength(2);
  expect(marked).toEqual(expect.arrayContaining(versions.map((version) => markOf(version, version.version === 2))));
});

it('writes down nothing about the versions of a form that was erased meanwhile', async () => {
  const { form, marked, checking, erasedForms } = services({ lost: [1, 2] });
  erasedForms.push(form);
  const findings = new Findings();
  await checkSubmissions(checking, findings, undefined);
  expect([findings.list(), marked]).toEqual([[], []]);
});

it('asks about fewer things at once where a busy service cannot answer about all of them in time', async () => {
  const ids = Array.from({ length: 1_000 }, () => newId()).sort();
  const [form_id, at] = [newId(), new Date().toISOString()];
  const inTime = (count: number) => {
    if (count > 300) throw new Failure('unavailable', 'canceling statement due to statement timeout');
  };
  const asked: string[] = [];
  const runCommand = async (_app: string, [command = '', after = '', , limit = '']: readonly string[], stdin = '') => {
    if (command === 'list-stored') {
      const wanted = Number(limit.slice('--limit='.length));
      inTime(wanted);
      const page = ids.filter((id) => id > after.slice('--after='.length)).slice(0, wanted);
      const last = page.length < wanted ? null : page.at(-1);
      return Promise.resolve({ submissions: page.length, last, versions: [], announced: page.map((id) => ({ id, form_id, at })) });
    }
    const list = JSON.parse(stdin) as [string][];
    inTime(list.length * 2);
    asked.push(...list.map(([id]) => id));
    return Promise.resolve({ from: at, missing: list.filter(([id]) => id === ids[7]).map(([id]) => ({ id, form_id, at, certain: true })) });
  };
  const findings = new Findings();
  const checking = { context: { runCommand }, before: new Date(), repair: false, pageSize: 1_000, progress: () => undefined };
  await expect(checkSubmissions(checking, findings, undefined)).resolves.toEqual({ submissions: 1_000, events_since: at });
  expect(asked).toEqual(ids);
  expect(findings.list()).toMatchObject([{ kind: 'event_missing', count: 1, ids: [ids[7]] }]);
});
