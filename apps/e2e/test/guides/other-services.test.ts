import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { startSubscriber, type Received, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { blocksOf } from '../../support/guides/page';
import { asOwner } from '../../support/people';

// The programs and mappings of docs/guides/connect-other-services.md, with events of the running system. Google, Airtable and Make
// are stood in for by the parts of their interfaces that the page uses.

const page = readFileSync(join(__dirname, '../../../../docs/guides/connect-other-services.md'), 'utf8');

let subscriber: Subscriber;
beforeEach(async () => {
  subscriber = await startSubscriber();
});
afterEach(() => subscriber.close());

/** As much of a sheet as the script uses. A text that begins like a formula is computed, and one behind an apostrophe is kept. */
class Sheet {
  readonly rows: unknown[][] = [];
  private entered = (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (value.startsWith("'")) return value.slice(1);
    return value.startsWith('=') ? '#COMPUTED' : value;
  };
  getLastRow = (): number => this.rows.length;
  getLastColumn = (): number => Math.max(...this.rows.map(({ length }) => length));
  appendRow = (cells: unknown[]): number => this.rows.push(cells.map(this.entered));
  deleteRow = (row: number): unknown => this.rows.splice(row - 1, 1);
  getRange = (row: number, column: number, rows = 1, columns = 1) => ({
    getValues: () => this.rows.slice(row - 1, row - 1 + rows).map((cells) => cells.slice(column - 1, column - 1 + columns)),
    setValue: (value: unknown) => void ((this.rows[row - 1] ?? [])[column - 1] = this.entered(value)),
    setValues: (values: unknown[][]) =>
      values.forEach((cells, index) => (this.rows[row - 1 + index] ?? []).splice(column - 1, columns, ...cells.map(this.entered))),
  });
}

/** Runs the page's script as Apps Script does. */
function appsScript(): { sheet: Sheet; take: (request: Received) => string } {
  const code = blocksOf(page).find(({ file }) => file === 'Code.gs')?.code ?? '';
  const sheet = new Sheet();
  const context = createContext({
    LockService: { getScriptLock: () => ({ waitLock: () => undefined, releaseLock: () => undefined }) },
    SpreadsheetApp: { getActiveSpreadsheet: () => ({ getSheets: () => [sheet] }) },
    HtmlService: { createHtmlOutput: (text: string) => text },
  });
  new Script(code).runInContext(context);
  const take = ({ path, body }: Received): string => {
    const parameter = Object.fromEntries(new URL(path, 'http://localhost').searchParams);
    return (context as { doPost(request: object): string }).doPost({ parameter, postData: { contents: body } });
  };
  return { sheet, take };
}

const secret = encodeURIComponent(/const secret = '(.*)'/.exec(page)?.[1] ?? '');
const events = ['submission.created', 'submission.status_changed', 'submission.deleted'];
const webhookOf = (form: string, path: string) =>
  asOwner.post(`/app/v1/forms/${form}/webhooks`, { target_url: subscriber.url + path, events, payload: 'named' });

it('A Google sheet follows the submissions of a form, and computes nothing that a respondent wrote', async () => {
  const [name, status] = [
    { key: 'name', label: 'Your name', type: 'short_text' },
    { key: 'status', label: 'Status', type: 'short_text' },
  ];
  const form = await given.publishedForm({ fields: [name] });
  await webhookOf(form, `/exec?secret=${secret}`);
  const ada = await given.submission(form, { name: 'Ada' });
  await subscriber.waitFor(1);
  await given.publishAgain(form, { fields: [name, status] });
  const mallory = await given.submission(form, { name: '=IMPORTXML("http://example.org")', status: 'mine' });
  await subscriber.waitFor(2);
  await asOwner.patch(`/api/v1/forms/${form}/submissions/${mallory}/status`, { status: 'approved' });
  await subscriber.waitFor(3);

  const { sheet, take } = appsScript();
  for (const request of subscriber.received) expect(take(request)).toBe('taken');
  // The first event once more, as after an answer that was lost.
  for (const request of subscriber.received.slice(0, 1)) take(request);
  expect(sheet.rows).toEqual([
    ['Submission', 'Submitted', 'Status', 'Your name', 'Status (status)'],
    [ada, expect.any(String), 'new', 'Ada'],
    [mallory, expect.any(String), 'approved', '=IMPORTXML("http://example.org")', 'mine'],
  ]);

  await asOwner.delete(`/api/v1/forms/${form}/submissions/${ada}`);
  const [deleted] = (await subscriber.waitFor(4)).slice(3);
  if (deleted) take(deleted);
  expect(sheet.rows.map(([id]) => id)).toEqual(['Submission', mallory]);
});

it('A Google sheet takes nothing from somebody who does not know its secret', async () => {
  const form = await given.publishedForm();
  await webhookOf(form, '/exec?secret=guessed');
  await given.submission(form);
  const { sheet, take } = appsScript();
  expect((await subscriber.waitFor(1)).map(take)).toEqual(['refused']);
  expect(sheet.rows).toEqual([]);
});

it('Airtable and Make find each value where the guide says, in a JSON object below their limits', async () => {
  const form = await given.publishedForm({ fields: [{ key: 'name', label: 'Your name', type: 'short_text' }] });
  await webhookOf(form, '/hook');
  const id = await given.submission(form, { name: 'Ada' });
  const [request] = await subscriber.waitFor(1);
  expect(request?.headers['content-type']).toMatch(/^application\/json/);
  // Airtable takes 100 kB.
  expect(Buffer.byteLength(request?.body ?? '')).toBeLessThan(100_000);
  const paths = [...page.matchAll(/\*((?:submission|answers) › [^*]+)\*/g)].map(([, path = '']) => path.split(' › '));
  const body: unknown = JSON.parse(request?.body ?? '{}');
  const valueAt = (path: string[]) => path.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], body);
  expect(paths.map(valueAt)).toEqual([id, 'Ada']);
});
