import { readFileSync } from 'node:fs';
import { eventually } from '@sheaf/testing';
import { at, formId } from './answers/form';
import { asked, countries, insights, insightsWith, matrix, noInsights, quietDays, ranks, scalesAndPlaces } from './answers/insights';
import { pageOf } from './answers/people';
import { list, submission } from './answers/submissions';
import { fits } from './support/fits';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import { refused } from './support/recorded-server';

const open = onScreens();
const none = { submissions: { total: 0, new: 0, spam: 0 } };
const total = ({ page }: Screen, count: number) => page.getByRole('img', { name: new RegExp(`: ${count} in total`) }).waitFor();
const choose = async ({ page }: Screen, name: string, option: string) => {
  await page.getByRole('group', { name: 'Show only' }).getByRole('button', { name }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
/** The texts of a table's rows, without its head. */
const hasRows = ({ page }: Screen, name: string, expected: string[][]) =>
  eventually(async () => {
    const rows = await page.getByRole('table', { name }).locator('tbody tr').all();
    const texts = await Promise.all(rows.map(async (row) => (await row.locator('th, td').allTextContents()).map((text) => text.trim())));
    expect(texts).toEqual(expected);
  });

onScreen('each table shows the numbers of the API', async () => {
  const screen = await open(at('insights'), insightsWith());
  const { page } = screen;
  await total(screen, 3);
  await page.getByText('Show as a table').first().click();
  await hasRows(screen, 'Submissions per day (table)', [
    ['2 Jan 2026', '3', '8', '4', '3'],
    ['1 Jan 2026', '0', '0', '0', '0'],
  ]);
  await hasRows(screen, 'From opening to sending', [
    ['Opened', '8', '100%'],
    ['Started', '4', '50%'],
    ['Sent', '3', '38%'],
  ]);
  await hasRows(screen, 'Where people leave', [
    ['Page 1 (4 left here: 50%)', '8', '100%'],
    ['About you (1 left here: 25%)', '4', '50%'],
    ['Check of the answers', '3', '38%'],
  ]);
  await hasRows(screen, 'By status', [['New', '3', '100%']]);
  await hasRows(screen, 'Favorite color', [
    ['Red', '2', '100%'],
    ['Green', '0', '0%'],
  ]);
  await hasRows(screen, 'Again?', [
    ['No', '1', '50%'],
    ['Yes', '1', '50%'],
  ]);
  await hasRows(screen, 'How often each question is answered', [
    ['Your name', '2', '67%'],
    ['Favorite color (asked: 2)', '2', '100%'],
    ['Again?', '2', '67%'],
    ['Age', '3', '100%'],
  ]);
  expect(await page.getByRole('article', { name: 'Age' }).locator('dl').innerText()).toMatch(/Lowest\s*36[^]*Median\s*41[^]*Highest\s*79/);
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('the days that were chosen are in the address, and are asked for', async () => {
  const screen = await open(at('insights'), insightsWith());
  const { page, server } = screen;
  await total(screen, 3);
  await page.getByRole('radio', { name: '7 days' }).click();
  await page.waitForURL(/range=7d/);
  server.set({ [`${asked}?from=2020-01-01&to=2020-01-31`]: quietDays });
  await page.getByRole('radio', { name: 'Custom' }).click();
  await page.getByLabel('From', { exact: true }).fill('2020-01-01');
  await page.getByLabel('To', { exact: true }).fill('2020-01-31');
  await page.waitForURL(/range=custom&from=2020-01-01&to=2020-01-31/);
  await page.getByText('No submissions in this period.').waitFor();
  await page.reload();
  await page.getByText('No submissions in this period.').waitFor();
  await eventually(async () => expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2020-01-01'));
});

onScreen('answers are those of the period, and of a status and an answer that are chosen, which are in the address', async () => {
  const screen = await open(at('insights'), insightsWith({ ...insights, narrowed: { submissions: 3, examined: 3, cut: false } }));
  const { page, server } = screen;
  await total(screen, 3);
  await page.getByText('Of the submissions of the period above.').first().waitFor();
  server.set({
    [`${asked}?period_only=true&answer=colour:r`]: {
      ...insights,
      narrowed: { submissions: 2, examined: 20_000, cut: true },
      statuses: [{ status: 'approved', submissions: 2 }],
    },
    [`${asked}?period_only=true&answer=colour:r&status=rejected`]: {
      ...insights,
      narrowed: { submissions: 0, examined: 20_000, cut: true },
      statuses: [],
    },
  });
  await choose(screen, 'Question', 'Favorite color');
  await choose(screen, 'Answer', 'Red');
  await page.waitForURL(/question=colour&answer=r/);
  await page.getByText('Submissions that match: 2. Only the newest 20,000 submissions were looked at.').waitFor();
  await hasRows(screen, 'By status', [['Approved', '2', '100%']]);
  // Visits are not those of the submissions that match.
  expect(await page.getByText('From opening to sending').count()).toBe(0);
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('only those who answered red');
  await choose(screen, 'Status', 'Rejected');
  await page.getByText('No submission matches.').waitFor();
  await page.getByRole('radio', { name: '7 days' }).click();
  await page.waitForURL(/question=colour&answer=r&status=rejected&range=7d/);
});

onScreen(
  'answers are those of a country by its name, also of one that nobody chose, and only those that were chosen have a bar',
  async () => {
    const screen = await open(at('insights'), countries);
    const { page, server } = screen;
    await hasRows(screen, 'Where do you live?', [['Austria', '2', '100%']]);
    server.set({
      [`${asked}?period_only=true&answer=home:DE`]: { ...insights, narrowed: { submissions: 0, examined: 3, cut: false }, statuses: [] },
    });
    await choose(screen, 'Question', 'Where do you live?');
    await choose(screen, 'Answer', 'Germany');
    await page.waitForURL(/question=home&answer=DE/);
    await page.getByText('No submission matches.').waitFor();
  },
);

onScreen('counts are of all submissions, and say so, where an earlier gateway knows no others', async () => {
  const unknown = refused(400, 'bad_request', 'period_only: is not a parameter of this operation');
  const screen = await open(at('insights'), { ...insightsWith(), [`${asked}?period_only=true`]: unknown });
  await total(screen, 3);
  await screen.page.getByText('Of all submissions, whatever the period above.').first().waitFor();
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^400: .*period_only/);
});

onScreen('counts are of all submissions, and say so, where an earlier release refuses a period longer than a year', async () => {
  const { page, problems } = await open(`${at('insights')}?range=custom&from=2024-01-01&to=2026-01-01`, {
    ...insightsWith({ ...insights, submissions: 12 }),
    [`${asked}?period_only=true&from=2024-01-01&to=2026-01-01`]: refused(400, 'bad_request', 'from: must be at most 365 days before to'),
    [`${asked}?from=2024-01-01&to=2024-12-31`]: quietDays,
    [`${asked}?from=2025-01-01&to=2026-01-01`]: insights,
  });
  await page.getByText('Of all submissions, whatever the period above.').first().waitFor();
  await page.getByRole('img', { name: /: 3 in total/ }).waitFor();
  for (const problem of problems.take()) expect(problem).toMatch(/^400: .*from/);
});

onScreen('a question that was removed is called as it was last, and the figures are a file', async () => {
  const gone = {
    key: 'gone',
    label: 'How old is it?',
    answered: 1,
    answered_share: 0.3333,
    options: [{ value: 'x', label: 'Very', submissions: 1 }],
  };
  const screen = await open(at('insights'), insightsWith({ ...insights, fields: [...insights.fields, gone] }));
  const { page } = screen;
  await hasRows(screen, 'How old is it?', [['Very', '1', '100%']]);
  // The count of this one does not say whom it was asked, so its share is of all submissions.
  await page.getByRole('article', { name: 'How old is it?' }).getByText('1 answers, 33% of submissions').waitFor();
  await page.getByRole('article', { name: 'Favorite color' }).getByText('2 answers, 100% of 2 who were asked').waitFor();
  await page.getByText(/it is not known of each of them which questions it was asked/).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export figures (CSV)' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('Site visit.csv');
  const text = readFileSync(await file.path(), 'utf8');
  for (const row of [
    'Submissions per day,,2026-01-02,Opened,8',
    'Favorite color,colour,Red,Submissions,2',
    'How old is it?,gone,Very,Submissions,1',
  ])
    expect(text.split('\r\n')).toContain(row);
});

onScreen('a submission that arrives meanwhile is counted', async () => {
  const screen = await open(at('insights'), insightsWith());
  await total(screen, 3);
  const [first, second] = insights.days;
  screen.server.set({ [asked]: { ...insights, submissions: 4, days: [first, { ...second, submissions: 4 }] } });
  screen.server.change({ kind: 'submission', action: 'created', form_id: formId, submission_id: formId });
  await total(screen, 4);
});

onScreen('a form that people open, and leave without sending, shows where they leave', async () => {
  const left = {
    ...insights,
    submissions: 0,
    statuses: [],
    fields: [],
    days: insights.days.map((day) => ({ ...day, submissions: 0, completions: 0 })),
  };
  const screen = await open(at('insights'), insightsWith(left, none));
  await screen.page.getByRole('heading', { name: 'Where people leave' }).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('a form without submissions leads to its link, and before it is published to Build', async () => {
  const screen = await open(at('insights'), insightsWith(noInsights, none));
  await screen.page.getByRole('heading', { name: 'No submissions yet' }).waitFor();
  expect(await screen.page.getByRole('link', { name: 'Share the form' }).getAttribute('href')).toBe(at('share'));
  expect(await screen.accessibilityFaults()).toEqual([]);
  screen.server.set(insightsWith(noInsights, { ...none, current_version: 0 }));
  await screen.open(at('insights'));
  expect(await screen.page.getByRole('link', { name: 'Go to Build' }).getAttribute('href')).toBe(at('build'));
});

onScreen('numbers that cannot be loaded say so', async () => {
  const screen = await open(at('insights'), insightsWith(refused(500, 'internal_error', 'Something went wrong.')));
  await screen.page.getByRole('button', { name: 'Try again' }).first().waitFor();
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^500: /);
});

onScreen('everything can be read in the dark on a narrow screen', async () => {
  const screen = await open(at('insights'), insightsWith(), { dark: true, width: 320 });
  await total(screen, 3);
  await screen.page.getByText('Show as a table').first().click();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(await screen.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await screen.screenshot('narrow and dark');
});

onScreen('a rating shows each step and its score, and a choice its places and the texts of Other', async () => {
  const screen = await open(at('insights'), scalesAndPlaces, { height: 1_200 });
  const { page, server } = screen;
  await hasRows(screen, 'Which day?', [
    ['Monday 12 of 30 places taken', '12', '86%'],
    ['Another day', '2', '14%'],
    ['Tuesday 0 of 1,000 places taken', '0', '0%'],
  ]);
  await hasRows(screen, 'Net Promoter Score', [
    ['Promoters (9–10)', '5', '42%'],
    ['Passives (7–8)', '2', '17%'],
    ['Detractors (0–6)', '5', '42%'],
  ]);
  const rating = page.getByRole('article', { name: 'How likely are you to recommend us?' });
  expect(await rating.locator('dl').allInnerTexts()).toEqual([
    expect.stringMatching(/^Mean\s*6\.42\s/),
    expect.stringMatching(/^Net Promoter Score\s*0$/),
  ]);
  await rating.getByText('Show as a table').click();
  const steps = [0, 0, 0, 5, 0, 0, 0, 0, 2, 4, 1].map((count, step) => [String(step), String(count)]);
  await hasRows(screen, 'How likely are you to recommend us? (table)', steps);

  const texts = ['Friday', '<b>الأحد</b>'];
  server.set({ [list]: pageOf(texts.map((text, at) => submission(at + 1, { day: 'other', day_other: text }))) });
  await page.getByRole('button', { name: 'Show what they wrote' }).click();
  await page.getByText('The newest texts: 2').waitFor();
  expect(await page.getByRole('article', { name: 'Which day?' }).getByRole('listitem').allInnerTexts()).toEqual(texts);
  expect(server.asked(list).at(-1)?.query.get('filter[day_other][answered]')).toBe('true');
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('scales and places');
});

onScreen('the texts of Other are those of the submissions that are counted, also on more days than a year has', async () => {
  const place = `${at('insights')}?range=custom&from=2024-01-01&to=2026-01-02&question=day&answer=other&status=new`;
  const narrowed = { submissions: 2, examined: 20, cut: false };
  const { [asked]: counts, ...form } = scalesAndPlaces;
  const answers = {
    ...form,
    [asked]: { ...(counts as object), narrowed },
    [list]: pageOf([submission(1, { day: 'other', day_other: 'Friday' })]),
  };
  const { page, server } = await open(place, answers);
  await page.getByText('Submissions that match: 2.').waitFor();
  // All days in one request: what is counted of them cannot be put together from parts.
  const queries = server.asked(asked).map(({ query }) => Object.fromEntries(query));
  const days = { from: '2024-01-01', to: '2026-01-02' };
  expect(queries).toEqual([{ ...days, period_only: 'true', status: 'new', answer: 'day:other' }]);
  await page.getByRole('button', { name: 'Show what they wrote' }).click();
  await page.getByText('The newest texts: 1').waitFor();
  expect(Object.fromEntries(server.asked(list).at(-1)?.query ?? [])).toEqual({
    ...{ from: '2024-01-01T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z', status: 'new', limit: '50' },
    ...{ 'filter[day][eq]': 'other', 'filter[day_other][answered]': 'true' },
  });
});

onScreen('scales, places and scores fit on a phone in German, in the dark, and from right to left', async () => {
  const screen = await open(at('insights'), scalesAndPlaces, { dark: true, width: 320, locale: 'de-DE' });
  await screen.page.getByText('12 von 30 Plätzen').waitFor();
  await fits(screen, 'de');
  await screen.screenshot('scales and places');
  await screen.page.evaluate("document.documentElement.dir = 'rtl'");
  await screen.screenshot('scales and places from right to left');
});

onScreen('a ranking shows how often each option is first, and the mean of its ranks', async () => {
  const screen = await open(at('insights'), ranks, { height: 1_000 });
  await hasRows(screen, 'Where should we meet?', [
    ['In Oslo mean rank 1.33', '2', '50%'],
    ['In Rome mean rank 1.67', '1', '25%'],
    ['Lima (no longer offered) mean rank 1.5', '1', '25%'],
  ]);
  expect(await screen.page.getByRole('table', { name: 'Where should we meet?' }).getByRole('columnheader').allInnerTexts()).toContain(
    'First ranks',
  );
  await screen.screenshot('ranks');
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('a matrix shows how often each column was chosen for each row, as bars and as a table', async () => {
  const screen = await open(at('insights'), matrix, { height: 1_000 });
  const { page } = screen;
  await page.getByRole('img', { name: 'Front: 12 answers; Bad: 3 (25%); Good: 6 (50%); Excellent: 3 (25%)' }).waitFor();
  await page.getByRole('img', { name: 'Cellar (no longer offered): 1 answers; Fair: 1 (100%)' }).waitFor();
  await screen.screenshot('matrix');
  await page.getByText('Show as a table').last().click();
  const none = '0 (0%)';
  await hasRows(screen, 'How does it look? (table)', [
    ['Front', '12', '3 (25%)', none, '6 (50%)', '3 (25%)', none],
    ['The back of the house, as it is seen from the garden', '0', none, none, none, none, none],
    ['Roof', '4', none, none, none, '3 (75%)', '1 (25%)'],
    ['Cellar (no longer offered)', '1', none, '1 (100%)', none, none, none],
  ]);
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('matrix as a table');
});

onScreen('a matrix fits on a phone in German, in the dark, and from right to left', async () => {
  const screen = await open(at('insights'), matrix, { dark: true, width: 320, locale: 'de-DE' });
  await screen.page.getByRole('img', { name: 'Front: 12 Antworten' }).waitFor();
  await fits(screen, 'de');
  await screen.screenshot('matrix');
  await screen.page.evaluate("document.documentElement.dir = 'rtl'");
  await screen.screenshot('matrix from right to left');
});
