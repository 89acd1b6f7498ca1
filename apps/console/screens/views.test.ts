import { eventually, hasFocus } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { app, at, formId } from './answers/form';
import { idOf, pageOf, then } from './answers/people';
import { inbox, list, submission } from './answers/submissions';
import { fits } from './support/fits';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import { Reply, refused } from './support/recorded-server';

const open = onScreens();
const wide = { width: 1_280, height: 900 };
const views = `${app}/views`;
const counts = `GET ${views}/counts`;
const ada = submission(1, { name: 'Ada', town: 'b' });
const grace = submission(2, { name: 'Grace', town: 'h' });
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('gridcell', { name, exact: true }) });
/** A tab by its name, before its number. */
const tab = (page: Page, name: string | RegExp) =>
  page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: typeof name === 'string' ? new RegExp(`^${name.replace('+', '\\+')}`) : name });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const openMenu = (page: Page) => page.getByRole('button', { name: 'Views' }).click();

interface View {
  id: string;
  name: string;
  shared: boolean;
  pinned: boolean;
  search: object;
  columns?: object | undefined;
}

const view = (number: number, name: string, more: Partial<View> = {}) => ({
  id: idOf(8, number),
  name,
  shared: true,
  pinned: true,
  search: {},
  created_at: then,
  updated_at: then,
  ...more,
});

const fromBerlin = { filter: [{ key: 'town', comparison: 'eq', values: ['b'] }] };

/** A server that keeps views, as the API does. */
function keeping(first: readonly ReturnType<typeof view>[]) {
  let kept = [...first];
  const one = (id: string) => ({
    [`PATCH ${views}/${id}`]: ({ body }: { body: Partial<View> & { position?: number; if_updated_at?: string } }) => {
      const { position, if_updated_at: expected, ...patch } = body;
      const before = kept.find((each) => each.id === id);
      if (expected !== undefined && expected !== before?.updated_at) return refused(409, 'conflict', 'The view was changed.');
      const updated_at = new Date(Date.parse(before?.updated_at ?? then) + 1).toISOString();
      kept = kept.map((each) => (each.id === id ? { ...each, ...patch, updated_at } : each));
      const moved = kept.find((each) => each.id === id);
      if (position !== undefined && moved) kept = kept.filter((each) => each.id !== id).toSpliced(position, 0, moved);
      return moved;
    },
    [`DELETE ${views}/${id}`]: () => {
      kept = kept.filter((each) => each.id !== id);
      return undefined;
    },
  });
  return {
    [`GET ${views}`]: () => ({ data: kept }),
    [counts]: () => ({ data: kept.filter(({ pinned }) => pinned).map(({ id }) => ({ id, total: 1 })) }),
    [`POST ${views}`]: ({ body }: { body: View }) => {
      const made = view(kept.length + 20, body.name, body);
      kept.push(made);
      return new Reply(201, made);
    },
    ...Object.assign({}, ...[...first.map(({ id }) => id), idOf(8, 20), idOf(8, 21), idOf(8, 22)].map(one)),
  } as Record<string, unknown>;
}

const found = { ...inbox([ada, grace]), [`${list}?filter[town]=b`]: pageOf([ada]), [`${list}?filter[town]=h`]: pageOf([grace]) };

onScreen('views that are pinned are tabs, which show their list and keep the focus', async () => {
  const screen = await open(
    at('submissions'),
    { ...found, ...keeping([view(1, 'Berlin', { search: fromBerlin }), view(2, 'Quiet', { pinned: false })]) },
    wide,
  );
  const { page } = screen;
  await rowOf(page, 'Grace').waitFor();
  expect(await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allTextContents()).toEqual(['All', 'Berlin1']);
  await tab(page, 'Berlin').focus();
  await page.keyboard.press('Enter');
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  await hasFocus(tab(page, 'Berlin'));
  expect(await tab(page, 'Berlin').getAttribute('aria-current')).toBe('page');
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('views as tabs');
  await page.reload();
  await rowOf(page, 'Ada').waitFor();
  expect(await tab(page, 'Berlin').getAttribute('aria-current')).toBe('page');
  await tab(page, 'All').click();
  await rowOf(page, 'Grace').waitFor();
  await openMenu(page);
  await item(page, 'Quiet').click();
  expect(await tab(page, 'Quiet').getAttribute('aria-current')).toBe('page');
});

onScreen('tabs have the numbers of their views, which are counted again with the list', async () => {
  const kept = [
    view(1, 'Berlin', { search: fromBerlin }),
    view(2, 'Many', { search: { q: 'a' } }),
    view(3, 'Slow', { search: { q: 'b' } }),
  ];
  const numbers = (berlin: number) => ({
    data: [{ id: idOf(8, 1), total: berlin }, { id: idOf(8, 2), total_at_least: 10_000 }, { id: idOf(8, 3) }],
  });
  const screen = await open(at('submissions'), { ...found, ...keeping(kept), [counts]: numbers(1_204) }, wide);
  const { page, server } = screen;
  await tab(page, 'Berlin 1,204').waitFor();
  await tab(page, 'Many 10,000+').waitFor();
  await tab(page, 'Slow not counted').waitFor();
  await screen.screenshot('tabs with numbers');
  server.set({ [counts]: numbers(1_205) });
  server.change({ kind: 'submission', action: 'created', form_id: formId, submission_id: idOf(5, 9) });
  await page.getByText('1 new submission').waitFor();
  expect(server.asked(counts)).toHaveLength(1);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await tab(page, 'Berlin 1,205').waitFor();
});

onScreen('a list is kept as a view, shared, and its columns and filters are saved or put back', async () => {
  const screen = await open(`${at('submissions')}?filter%5Btown%5D=b`, { ...found, ...keeping([]) }, wide);
  const { page, server } = screen;
  await rowOf(page, 'Ada').waitFor();
  await openMenu(page);
  await item(page, 'Save this view').click();
  const dialog = page.getByRole('dialog', { name: 'Save this view' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Berlin');
  await dialog.getByText('Share with the team').click();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await tab(page, 'Berlin').waitFor();
  expect(server.sent(`POST ${views}`)).toMatchObject([{ name: 'Berlin', shared: true, pinned: true, search: fromBerlin }]);
  const changes = page.getByRole('group', { name: 'The view was changed' });
  expect(await changes.count()).toBe(0);

  await page.getByRole('button', { name: 'Remove filter: Town: Berlin' }).click();
  await rowOf(page, 'Grace').waitFor();
  await changes.getByRole('button', { name: 'Reset' }).click();
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  await hasFocus(tab(page, 'Berlin'));

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByText('Stars').click();
  await page.keyboard.press('Escape');
  await screen.screenshot('view that was changed');
  await changes.getByRole('button', { name: 'Save changes' }).click();
  await changes.waitFor({ state: 'detached' });
  await hasFocus(tab(page, 'Berlin'));
  // The search is left alone, as another person may have saved one meanwhile.
  expect(server.sent(`PATCH ${views}/${idOf(8, 20)}`)).toEqual([
    { columns: { order: [], hidden: ['answers.stars'], widths: {} }, if_updated_at: then },
  ]);
  // The columns of a shared view are not those of the person.
  expect(server.asked('PUT /app/v1/me/preferences')).toEqual([]);
});

onScreen('a view that somebody else has saved meanwhile is shown or saved over, as the person decides', async () => {
  const { id, ...kept } = view(1, 'Berlin', { search: fromBerlin, columns: { order: [], hidden: [], widths: {} } });
  const answers = keeping([{ id, ...kept }]);
  const bySomebodyElse = (body: object) => (answers[`PATCH ${views}/${id}`] as (asked: { body: object }) => unknown)({ body });
  const screen = await open(`${at('submissions')}?view=${id}&filter%5Btown%5D=b`, { ...found, ...answers }, wide);
  const { page, server } = screen;
  const removeFilter = async (town: string) => {
    await page.getByRole('button', { name: `Remove filter: Town: ${town}` }).click();
    await rowOf(page, town === 'Berlin' ? 'Grace' : 'Ada').waitFor();
  };
  const save = () => page.getByRole('group', { name: 'The view was changed' }).getByRole('button', { name: 'Save changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else has saved “Berlin” meanwhile' });
  await rowOf(page, 'Ada').waitFor();
  await removeFilter('Berlin');
  bySomebodyElse({ search: { filter: [{ key: 'town', comparison: 'eq', values: ['h'] }] } });
  await save();
  await dialog.waitFor();
  await screen.screenshot('view that two have changed');
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(server.sent(`PATCH ${views}/${id}`)).toEqual([]);
  await dialog.getByRole('button', { name: 'Show theirs' }).click();
  await rowOf(page, 'Ada').waitFor({ state: 'detached' });
  await rowOf(page, 'Grace').waitFor();

  await removeFilter('Hamburg');
  // A new name is no other list, and so no reason to ask.
  bySomebodyElse({ name: 'From there' });
  await save();
  await eventually(() => expect(server.sent(`PATCH ${views}/${id}`)).toMatchObject([{ search: {} }]));
  await tab(page, 'From there').waitFor();

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByText('Stars').click();
  await page.keyboard.press('Escape');
  bySomebodyElse({ columns: { order: [], hidden: ['answers.name'], widths: {} } });
  await save();
  await page.getByRole('button', { name: 'Save mine' }).click();
  await page.getByRole('group', { name: 'The view was changed' }).waitFor({ state: 'detached' });
  expect(server.sent(`PATCH ${views}/${id}`).at(-1)).toMatchObject({ columns: { hidden: ['answers.stars'] } });
});

onScreen('a view is renamed, moved, unpinned, and deleted with the way back', async () => {
  const kept = [view(1, 'One', { search: fromBerlin }), view(2, 'Two'), view(3, 'Three')];
  const screen = await open(at('submissions'), { ...found, ...keeping(kept) }, wide);
  const { page, server } = screen;
  const names = () => page.getByRole('navigation', { name: 'Views' }).getByRole('link').allTextContents();
  const act = async (name: string) => {
    await openMenu(page);
    await item(page, name).click();
  };
  await tab(page, 'One').click();
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  await act('Rename view');
  await page.getByRole('textbox', { name: 'Name' }).fill('Two');
  await page.getByText('Another view has this name.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('First');
  await page.keyboard.press('Enter');
  await tab(page, 'First').waitFor();
  await act('Move forward');
  await eventually(async () => expect(await names()).toEqual(['All', 'Two1', 'First1', 'Three1']));
  await act('Delete view');
  await tab(page, 'First').waitFor({ state: 'detached' });
  await rowOf(page, 'Ada').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => expect(await names()).toEqual(['All', 'Two1', 'First1', 'Three1']));
  expect(await tab(page, 'First').getAttribute('aria-current')).toBe('page');
  expect(server.sent(`POST ${views}`)).toMatchObject([{ name: 'First', shared: true, pinned: true, search: fromBerlin }]);
});

onScreen('a viewer keeps views of their own, and puts a shared one only back', async () => {
  const { page } = await open(
    at('submissions'),
    {
      ...inbox([ada, grace], {}, 'viewer'),
      [`${list}?filter[town]=b`]: pageOf([ada]),
      ...keeping([view(1, 'Berlin', { search: fromBerlin })]),
    },
    wide,
  );
  await tab(page, 'Berlin').click();
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove filter: Town: Berlin' }).click();
  await page.getByRole('button', { name: 'Reset' }).waitFor();
  expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
  await openMenu(page);
  await item(page, 'Save this view').waitFor();
  for (const name of ['Rename view', 'Delete view', 'Share with the team']) expect(await item(page, name).count()).toBe(0);
  await item(page, 'Save this view').click();
  expect(await page.getByRole('dialog').getByText('Share with the team').count()).toBe(0);
});

onScreen('views that an earlier console kept are moved to the form, and none is lost', async () => {
  const key = `submissions.${formId}.views`;
  const layout = { order: [], hidden: ['assignee'], widths: {} };
  const earlier = [
    { name: 'Berlin', search: { 'filter[town]': 'b' }, layout },
    { name: 'Mine', search: { status: 'new' }, layout },
    { name: 'Broken', search: { sort: 'size' }, layout },
  ];
  const answers = keeping([view(1, 'Mine', { shared: false, pinned: false, search: { q: 'other' } })]);
  const create = answers[`POST ${views}`] as (asked: { body: View }) => unknown;
  const { page, server, problems } = await open(
    at('submissions'),
    {
      ...found,
      ...answers,
      [`POST ${views}`]: (asked: { body: View }) =>
        asked.body.name === 'Broken'
          ? new Reply(400, { error: { code: 'bad_request', message: 'search.sort: must be created' } })
          : create(asked),
      'GET /app/v1/me/preferences': { data: { [key]: earlier } },
      [`PUT /app/v1/me/preferences/${key}`]: ({ body }: { body: { value: unknown } }) => ({ key, value: body.value }),
    },
    wide,
  );
  await eventually(() => expect(server.sent(`PUT /app/v1/me/preferences/${key}`)).toEqual([{ value: [earlier[2]] }]));
  expect(problems.take()).toEqual([expect.stringMatching(/^400: /)]);
  expect(server.sent(`POST ${views}`).slice(0, 2)).toMatchObject([
    { name: 'Berlin', shared: false, search: fromBerlin, columns: { hidden: ['assignee'] } },
    { name: 'Mine (2)', shared: false, search: { status: ['new'] } },
  ]);
  await openMenu(page);
  await item(page, 'Berlin').click();
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
});

onScreen('views that another console writes while they are moved stay in the preference', async () => {
  const key = `submissions.${formId}.views`;
  const of = (name: string) => ({ name, search: { q: name }, layout: { order: [], hidden: [], widths: {} } });
  let stored = [of('Deleted since')];
  const answers = keeping([]);
  const create = answers[`POST ${views}`] as (asked: { body: View }) => unknown;
  const { server } = await open(
    at('submissions'),
    {
      ...found,
      ...answers,
      'GET /app/v1/me/preferences': () => {
        const data = { [key]: stored };
        if (stored[0]?.name === 'Deleted since') stored = [of('Written since')];
        return { data };
      },
      [`POST ${views}`]: (asked: { body: View }) => {
        stored.push(of('Written meanwhile'));
        return create(asked);
      },
      [`PUT /app/v1/me/preferences/${key}`]: ({ body }: { body: { value: unknown } }) => ({ key, value: body.value }),
    },
    wide,
  );
  await eventually(() => expect(server.sent(`PUT /app/v1/me/preferences/${key}`)).toEqual([{ value: [of('Written meanwhile')] }]));
  expect(server.sent(`POST ${views}`)).toMatchObject([{ name: 'Written since' }]);
});

onScreen('a shared view that somebody copies for themselves stays', async () => {
  const kept = [view(1, 'Berlin', { search: fromBerlin }), view(2, 'Berlin', { shared: false, pinned: false })];
  const { page, server } = await open(at('submissions'), { ...found, ...keeping(kept) }, wide);
  await tab(page, 'Berlin').click();
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  await openMenu(page);
  await item(page, 'Copy for yourself').click();
  await eventually(async () => expect(await tab(page, /^Berlin \(2\)/).getAttribute('aria-current')).toBe('page'));
  expect(server.sent(`POST ${views}`)).toEqual([{ name: 'Berlin (2)', shared: false, pinned: true, search: fromBerlin }]);
  expect(server.sent(`PATCH ${views}/${idOf(8, 1)}`)).toEqual([]);
});

onScreen('views that cannot be loaded are said to be, and are loaded again', async () => {
  const answers = keeping([view(1, 'Berlin', { search: fromBerlin })]);
  const { page, server, problems } = await open(
    at('submissions'),
    { ...found, ...answers, [`GET ${views}`]: refused(500, 'internal_error', 'Something went wrong.') },
    wide,
  );
  await rowOf(page, 'Grace').waitFor();
  await page.getByRole('alert').waitFor();
  expect(problems.take()).toEqual([expect.stringMatching(/^50[01]: /)]);
  server.set({ [`GET ${views}`]: answers[`GET ${views}`] });
  await page.getByRole('button', { name: 'Try again' }).click();
  await tab(page, 'Berlin').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

onScreen('a view that asks for a question which was removed says so, and stays', async () => {
  const { page } = await open(
    at('submissions'),
    {
      ...found,
      [`${list}?filter[age]=7`]: pageOf([ada]),
      ...keeping([view(1, 'Sevens', { search: { filter: [{ key: 'age', comparison: 'eq', values: ['7'] }] } })]),
    },
    wide,
  );
  await tab(page, /Sevens/).click();
  await page.getByText('This view asks for questions that the form does not have: age.').waitFor();
  await tab(page, /Sevens/)
    .getByRole('img', { name: 'Asks for a question that the form does not have' })
    .waitFor();
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
});

const many = [view(1, 'To be reviewed by the board', { search: fromBerlin }), ...[2, 3, 4, 5].map((n) => view(n, `View number ${n}`))];

onScreen.each([
  ['narrow', { width: 320 }],
  ['dark', { dark: true, width: 800 }],
] as const)('many tabs have their place where it is %s', async (_, options) => {
  const screen: Screen = await open(`${at('submissions')}?view=${idOf(8, 1)}`, { ...found, ...keeping(many) }, options);
  const { page } = screen;
  await page.getByRole('button', { name: 'Reset' }).waitFor();
  await screen.screenshot(`many views, ${_}`);
  if (_ === 'narrow') await fits(screen, 'en');
  await page.evaluate(`document.documentElement.dir = 'rtl'`);
  await screen.screenshot(`many views, ${_}, right to left`);
});
