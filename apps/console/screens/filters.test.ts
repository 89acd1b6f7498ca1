import { eventually } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { app, at, formWith } from './answers/form';
import { idOf, pageOf, then } from './answers/people';
import { inbox, list, submission } from './answers/submissions';
import { onScreen, onScreens } from './support/on-screens';
import { Reply } from './support/recorded-server';

const open = onScreens();
const wide = { width: 1_280, height: 900 };
const ada = submission(1, { name: 'Ada', town: 'b' });
const grace = submission(2, { name: 'Grace', town: 'h' });
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('gridcell', { name, exact: true }) });
const chip = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function filterBy(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}
const apply = (page: Page) => page.getByRole('button', { name: 'Apply filter' }).click();
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

onScreen('days stay relative to today in the address and in a view, and are chosen by keys alone', async () => {
  const views = `${app}/views`;
  const kept = ({ body }: { body: object }) => new Reply(201, { id: idOf(8), ...body, created_at: then, updated_at: then });
  const days = 'filter[_created][within]';
  const screen = await open(
    at('submissions'),
    {
      ...inbox([ada, grace]),
      [`${list}?${days}=yesterday`]: pageOf([ada]),
      [`POST ${views}`]: kept,
      [`GET ${views}/counts`]: { data: [] },
    },
    wide,
  );
  const { page, server } = screen;
  await rowOf(page, 'Grace').waitFor();
  await filterBy(page, 'Received');
  const select = page.getByRole('dialog').getByRole('button', { name: /Days/ });
  await select.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor();
  await page.keyboard.type('yest');
  await page.keyboard.press('Enter');
  await page.getByLabel('First day').waitFor({ state: 'detached' });
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('filter by days');
  await apply(page);
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  await chip(page, 'Received: Yesterday').waitFor();
  expect(parameter(page, days)).toBe('yesterday');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Fresh');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await eventually(() =>
    expect(server.sent(`POST ${views}`)).toMatchObject([
      { name: 'Fresh', search: { filter: [{ key: '_created', comparison: 'within', values: ['yesterday'] }] } },
    ]),
  );
});

onScreen('filters ask for version, language, files, place and several texts, any of which may suffice', async () => {
  const spam = submission(3, { name: 'Mallory' }, { spam_at: then });
  const filters = [
    'filter[_version]=1',
    'filter[_in]=list,spam',
    'filter[_files]=true',
    'filter[_language]=de',
    'filter[name][contains]=a&filter[name][contains]=y',
    'filter[_match]=any',
  ];
  const steps = Object.fromEntries(filters.map((_, n) => [`${list}?${filters.slice(0, n + 1).join('&')}`, pageOf([ada, spam])]));
  const screen = await open(at('submissions'), { ...inbox([ada, grace, spam]), ...steps }, wide);
  const { page } = screen;
  const dialog = page.getByRole('dialog');
  await rowOf(page, 'Grace').waitFor();
  await filterBy(page, 'Version');
  await dialog.getByText('Version 1').click();
  await dialog.getByText('A long list is read bit by bit.').waitFor();
  await apply(page);
  await chip(page, 'Version: 1').waitFor();
  await filterBy(page, 'In');
  await dialog.getByText('List', { exact: true }).click();
  await dialog.getByText('Spam', { exact: true }).click();
  await apply(page);
  await chip(page, 'In: List or Spam').waitFor();
  await rowOf(page, 'Mallory').getByText('Spam', { exact: true }).waitFor();
  await filterBy(page, 'With files');
  await dialog.getByText('Yes', { exact: true }).click();
  await apply(page);
  await filterBy(page, 'Language');
  await dialog.getByRole('textbox', { name: 'Language' }).fill('de');
  await apply(page);
  await filterBy(page, 'Your name');
  await dialog.getByRole('textbox', { name: 'Answer' }).fill('a\ny');
  await apply(page);
  await chip(page, 'Your name: contains a or y').waitFor();
  await filterBy(page, 'Conditions');
  await dialog.getByText('Any of these').click();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('filter by any');
  await apply(page);
  await chip(page, 'Conditions: Any of these').waitFor();
  expect(parameter(page, 'filter[_match]')).toBe('any');
  await screen.screenshot('filters as chips');
});

onScreen('a date range is shown with both days, and filtered by its first one', async () => {
  const stay = { key: 'stay', label: 'Stay', type: 'date_range', required: false };
  const [may, june] = [
    submission(1, { stay: { from: '2026-05-29', to: '2026-06-02' } }),
    submission(2, { stay: { from: '2026-06-01', to: '2026-06-03' } }),
  ];
  const screen = await open(
    at('submissions'),
    { ...inbox([may, june]), ...formWith([stay]), [`${list}?filter[stay][gte]=2026-05-30`]: pageOf([june]) },
    wide,
  );
  const { page } = screen;
  await rowOf(page, '29 May 2026 – 2 Jun 2026').waitFor();
  await filterBy(page, 'Stay');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radiogroup', { name: 'First day' }).getByText('Is between', { exact: true }).click();
  await dialog.getByLabel('At least').fill('2026-05-30');
  await screen.screenshot('filter by date range');
  await apply(page);
  await chip(page, 'Stay: from 30 May 2026').waitFor();
  await rowOf(page, '29 May 2026 – 2 Jun 2026').waitFor({ state: 'detached' });
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('a country is shown, filtered by and named in the language of the console', async () => {
  const home = { key: 'home', label: 'Home', type: 'country', required: false };
  const answers = { ...inbox([submission(1, { home: 'DE' }), submission(2, { home: 'CH' })]), ...formWith([home]) };
  const screen = await open(at('submissions'), { ...answers, [`${list}?filter[home]=CH`]: pageOf([submission(2, { home: 'CH' })]) }, wide);
  const { page } = screen;
  await rowOf(page, 'Germany').waitFor();
  await filterBy(page, 'Home');
  await page.getByRole('dialog').getByText('Is', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Answer' }).click();
  await page.keyboard.type('swi');
  await page.getByRole('option', { name: 'Switzerland' }).click();
  await screen.screenshot('filter by country');
  await apply(page);
  await chip(page, 'Home: Switzerland').waitFor();
  await rowOf(page, 'Germany').waitFor({ state: 'detached' });
});
