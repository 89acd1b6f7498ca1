import { eventually } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text' },
  { key: 'colour', label: 'Favorite color', type: 'select', options: [{ value: 'r', label: 'Red' }, 'Green'] },
  { key: 'again', label: 'Again?', type: 'boolean' },
  { key: 'age', label: 'Age', type: 'integer' },
];

interface Insights {
  submissions: number;
  days: { date: string; submissions: number; views: number; starts: number; completions: number }[];
}

const insightsOf = async ({ person }: ConsoleUser, form: string, query = '') =>
  (await person.get(`/app/v1/forms/${form}/insights${query}`)).body as Insights;

/** The texts of a table's rows, without its head. */
const rowsOf = async ({ page }: ConsoleUser, name: string) => {
  const rows = await page.getByRole('table', { name }).locator('tbody tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('th, td').allTextContents()).map((text) => text.trim())));
};

/** An owner and a form with three counted submissions. */
async function withSubmissions(browser: Parameters<typeof asConsoleOwner>[1] = {}) {
  const owner = await asConsoleOwner(undefined, browser);
  const form = await given.publishedForm({ title: 'Colors', fields }, owner.person);
  for (const data of [
    { name: 'Ada', colour: 'r', again: true, age: 36 },
    { colour: 'r', age: 41 },
    { name: 'Grace', again: false, age: 79 },
  ])
    await given.submission(form, data);
  await eventually(async () => {
    const { submissions, days } = await insightsOf(owner, form);
    expect([submissions, days.at(-1)?.completions]).toEqual([3, 3]);
  });
  return { owner, form };
}

describe('a person who looks at the insights of a form', () => {
  itInBrowser('reads in each table the numbers of the API', async () => {
    const { owner, form } = await withSubmissions();
    await owner.open(`/console/forms/${form}/insights`);
    const chart = owner.page.getByRole('img', { name: /^Submissions per day, .*: 3 in total/ });
    await chart.waitFor();
    await owner.page.getByText('Show as a table').first().click();

    const { days } = await insightsOf(owner, form);
    const written = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
    const expected = days.map(({ date, submissions, views, starts, completions }) =>
      [written.format(new Date(date)), submissions, views, starts, completions].map(String),
    );
    expect(await rowsOf(owner, 'Submissions per day (table)')).toEqual(expected.reverse());
    expect(await chart.locator('rect').count()).toBe(30);

    // The page was never opened: the submissions came through the API.
    expect(await rowsOf(owner, 'From opening to sending')).toEqual([
      ['Opened', '0', '0%'],
      ['Started', '0', '0%'],
      ['Sent', '3', '100%'],
    ]);
    expect(await rowsOf(owner, 'By status')).toEqual([['New', '3', '100%']]);
    expect(await rowsOf(owner, 'Favorite color')).toEqual([
      ['Red', '2', '100%'],
      ['Green', '0', '0%'],
    ]);
    expect(await rowsOf(owner, 'Again?')).toEqual([
      ['No', '1', '50%'],
      ['Yes', '1', '50%'],
    ]);
    expect(await rowsOf(owner, 'How often each question is answered')).toEqual([
      ['Your name', '2', '67%'],
      ['Favorite color', '2', '67%'],
      ['Again?', '2', '67%'],
      ['Age', '3', '100%'],
    ]);
    const age = owner.page.getByRole('article', { name: 'Age' });
    await age.getByText('Show as a table').click();
    const ranges = (await rowsOf(owner, 'Age (table)')).map(([, count]) => Number(count));
    expect(ranges.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(await age.locator('dl').innerText()).toMatch(/Lowest\s*36[^]*Median\s*41[^]*Highest\s*79/);
    expect(await owner.accessibilityFaults()).toEqual([]);
  });

  itInBrowser('chooses the days, and finds the choice in the address', async () => {
    const { owner, form } = await withSubmissions();
    await owner.open(`/console/forms/${form}/insights`);
    await owner.page.getByRole('radio', { name: '7 days' }).click();
    await owner.page.waitForURL(/range=7d/);
    await eventually(async () => expect(await owner.page.locator('svg[role=img]').first().locator('rect').count()).toBe(7));

    await owner.page.getByRole('radio', { name: 'Custom' }).click();
    await owner.page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await owner.page.getByLabel('To', { exact: true }).fill('2021-12-31');
    await owner.page.waitForURL(/range=custom&from=2020-01-01&to=2021-12-31/);
    await owner.page.getByRole('img', { name: 'No submissions from 1 Jan 2020 to 31 Dec 2021.' }).waitFor();
    await owner.page.reload();
    await owner.page.getByText('No submissions in this period.').waitFor();
    await eventually(async () => expect(await owner.page.getByLabel('From', { exact: true }).inputValue()).toBe('2020-01-01'));
  });

  itInBrowser('sees a submission that arrives meanwhile', async () => {
    const { owner, form } = await withSubmissions();
    await owner.open(`/console/forms/${form}/insights`);
    await owner.page.getByRole('img', { name: /: 3 in total/ }).waitFor();
    await given.submission(form, { name: 'Mary' });
    await owner.page.getByRole('img', { name: /: 4 in total/ }).waitFor();
  });

  itInBrowser('of a form without submissions is led to its link, and before it is published to Build', async () => {
    const owner = await asConsoleOwner();
    const form = await given.publishedForm({}, owner.person);
    await owner.open(`/console/forms/${form}/insights`);
    await owner.page.getByRole('heading', { name: 'No submissions yet' }).waitFor();
    expect(await owner.page.getByRole('link', { name: 'Share the form' }).getAttribute('href')).toBe(`/console/forms/${form}/share`);
    expect(await owner.accessibilityFaults()).toEqual([]);

    const { id } = await given.form({ title: 'Draft' }, owner.person);
    await owner.open(`/console/forms/${id}/insights`);
    expect(await owner.page.getByRole('link', { name: 'Go to Build' }).getAttribute('href')).toBe(`/console/forms/${id}/build`);
  });

  itInBrowser.each([
    ['in dark mode', { dark: true }],
    ['on a narrow screen', { width: 320 }],
  ])('can read and use everything %s', async (_how, browser) => {
    const { owner, form } = await withSubmissions(browser);
    await owner.open(`/console/forms/${form}/insights?range=custom&from=2026-01-01&to=2026-01-31`);
    await owner.page.getByText('Show as a table').first().click();
    expect(await owner.accessibilityFaults()).toEqual([]);
    expect(await owner.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await owner.screenshot('console-insights');
  });
});
