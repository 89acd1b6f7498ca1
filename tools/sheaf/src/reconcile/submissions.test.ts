import { newId } from '@sheaf/kernel';
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
    'show-log-begin': () => ({ from: new Date(0).toISOString() }),
    'tally-submissions': () => ({ submissions: 6, last: null, versions, tallies: [] }),
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

const minute = 29_400_000;
type Tally = [minute: number, count: number, sum: string];

/** Looks for events where each service answers in as many parts as it has lists of tallies. */
async function checkEvents(
  { submissions, delivery }: { submissions: Tally[][]; delivery: Tally[][] },
  announced: { id: string; minute: number }[] = [],
) {
  const [form_id, from] = [newId(), new Date(minute * 60_000).toISOString()];
  const [parts, asked] = [{ submissions: [...submissions], delivery: [...delivery] }, [] as string[]];
  const part = (tallies: Tally[][]) => ({
    submissions: 1,
    read: 1,
    versions: [],
    tallies: tallies.shift() ?? [],
    last: tallies.length === 0 ? null : newId(),
  });
  const answers: Record<string, (stdin: string) => object> = {
    'show-log-begin': () => ({ from }),
    'tally-submissions': () => part(parts.submissions),
    'tally-planned': () => part(parts.delivery),
    'list-announced': (stdin) => {
      const wanted = JSON.parse(stdin) as number[];
      const found = announced.filter((one) => wanted.includes(one.minute));
      return { last: null, announced: found.map(({ id }) => ({ id, form_id, at: from })) };
    },
    'list-unplanned': (stdin) => {
      asked.push(...(JSON.parse(stdin) as [string][]).map(([id]) => id));
      return { from, missing: asked.slice(0, 1).map((id) => ({ id, form_id, at: from, certain: true })) };
    },
  };
  const runCommand = (_app: string, [command = '']: readonly string[], stdin = '') => Promise.resolve({ ...answers[command]?.(stdin) });
  const findings = new Findings();
  await checkSubmissions(
    { context: { runCommand }, before: new Date(), repair: false, pageSize: 10, progress: () => undefined },
    findings,
    undefined,
  );
  return { asked, findings: findings.list() };
}

it('names no submission where both services have as many events of the same moments in each minute, in whichever parts they come', async () => {
  const submissions: Tally[][] = [
    [[minute, 2, '30']],
    [
      [minute, 1, '12'],
      [minute + 1, 1, '5'],
    ],
  ];
  const delivery: Tally[][] = [
    [[minute, 3, '42']],
    [
      [minute + 1, 1, '5'],
      [minute + 2, 4, '9'],
    ],
  ];
  await expect(checkEvents({ submissions, delivery }, [{ id: newId(), minute }])).resolves.toEqual({ asked: [], findings: [] });
});

it.each<[string, Tally[]]>([
  ['fewer', [[minute, 2, '30']]],
  ['as many, of other moments', [[minute, 3, '43']]],
  ['no', []],
])('looks for the events of a minute one by one where delivery has %s events', async (_, planned) => {
  const [here, elsewhere] = [newId(), newId()];
  const other: Tally = [minute + 1, 1, '5'];
  const announced = [
    { id: here, minute },
    { id: elsewhere, minute: minute + 1 },
  ];
  const { asked, findings } = await checkEvents({ submissions: [[[minute, 3, '42'], other]], delivery: [[...planned, other]] }, announced);
  expect(asked).toEqual([here]);
  expect(findings).toMatchObject([{ kind: 'event_missing', count: 1, ids: [here] }]);
});
