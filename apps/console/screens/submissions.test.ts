import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceOf } from '@sheaf/contracts';
import { eventually, hasFocus } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { app, at, formId, shortText, version } from './answers/form';
import { ada, byAda, idOf, listOf, markup, pageOf, sessionOf, signedIn, then } from './answers/people';
import { fields, inbox, list, note, panelOf, submission, submissionId, updated } from './answers/submissions';
import { onScreen, onScreens } from './support/on-screens';
import { lost, refused, Reply, text } from './support/recorded-server';

const open = onScreens();
const wide = { width: 1_280, height: 900 };
const panel = (page: Page) => page.getByRole('region', { name: 'Submission', exact: true });
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('gridcell', { name, exact: true }) });
const bulk = (deed: string) => `POST ${app}/submissions/bulk-${deed}`;
/** A menu takes keys once the focus is in it. */
const menuHasFocus = (page: Page) => page.locator('[role=menu]:focus, [role=menu] :focus').waitFor();
const person = submission(1, { name: 'Ada', town: 'b', stars: 4 });
const other = submission(2, { name: 'Grace', town: 'h' });

onScreen('the activity of a submission says who assigned it to whom, marked it as spam and released it, and when', async () => {
  const by = (id: string, kind: string, more: object = {}) => ({
    kind,
    actor: { kind: 'user', id },
    at: then,
    ...more,
  });
  const deeds = [
    by(ada.id, 'assigned', { assignee: idOf(9, 9) }),
    by(ada.id, 'assigned'),
    by(idOf(9, 9), 'marked_as_spam'),
    { ...by(ada.id, 'released'), actor: { kind: 'service_account', id: idOf(9, 8) } },
    by(ada.id, 'looked_up'),
  ];
  const answers = {
    ...inbox([person]),
    [`GET ${app}/submissions/${person.id}/activity`]: listOf(deeds),
    [`GET ${app}/submissions/${person.id}/notes`]: pageOf([note(1, 'Call her back')]),
  };
  const { page } = await open(`${at('submissions')}?open=${person.id}`, answers);
  const activity = panel(page).getByRole('region', { name: 'Activity' });
  for (const deed of [
    'Ada Lovelace assigned it to another person',
    'Ada Lovelace assigned it to nobody',
    'Somebody marked it as spam',
    'A service account released it from spam',
    'Ada Lovelace looked for this person and got the answers',
    'Ada Lovelace wrote a note',
  ])
    await activity.getByText(deed).waitFor();
});

onScreen('an answer that is a phone number, an e-mail address or a street leads to what is done with it', async () => {
  const contact = [
    shortText('name'),
    { ...shortText('phone'), type: 'phone' },
    { ...shortText('mail'), type: 'email' },
    shortText('street', 'Street', { autocomplete: 'street-address' }),
  ];
  const of = submission(1, { name: 'Ada', phone: '+43 (1) 234-56 78', mail: 'ada@example.org', street: 'Ring 1, 1010 Wien' });
  const screen = await open(`${at('submissions')}?open=${of.id}`, { ...inbox([of]), [`GET ${app}/versions/1`]: version(1, contact) });
  const answers = panel(screen.page).getByRole('region', { name: 'Answers' });
  const target = (name: string) => answers.getByRole('link', { name, exact: true }).getAttribute('href');
  expect(await target('+43 (1) 234-56 78')).toBe('tel:+4312345678');
  expect(await target('ada@example.org')).toBe('mailto:ada@example.org');
  expect(await target('Ring 1, 1010 Wien')).toBe('https://www.openstreetmap.org/search?query=Ring%201%2C%201010%20Wien');
  expect(await answers.getByRole('link').count()).toBe(3);
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('amounts are written with their currency, and shares as percent, in the list and in a submission', async () => {
  const computed = (key: string, more: object) => ({ ...shortText(key), type: 'calculated', formula: '1', ...more });
  const items = [shortText('name'), computed('total', { format: 'currency', currency: 'eur' }), computed('part', { format: 'percent' })];
  const of = submission(1, { name: 'Ada', total: 1234.5, part: 0.125 });
  const { page } = await open(`${at('submissions')}?open=${of.id}`, { ...inbox([of]), [`GET ${app}/versions/1`]: version(1, items) }, wide);
  for (const text of ['€1,234.50', '12.5%']) {
    await page.getByRole('gridcell', { name: text, exact: true }).waitFor();
    await panel(page).getByText(text, { exact: true }).waitFor();
  }
});

onScreen('the time to fill in is told of a submission, and is a column for those who choose it', async () => {
  const of = { ...person, fill_seconds: 125 };
  const key = `submissions.${formId}`;
  const put = `PUT /app/v1/me/preferences/${key}`;
  const kept = ({ body }: { body: { value: unknown } }) => ({ key, value: body.value });
  const screen = await open(`${at('submissions')}?open=${of.id}`, { ...inbox([of, other]), [put]: kept }, wide);
  const { page } = screen;
  await panel(page).getByText('Filled in within 2 mins 5 secs').waitFor();
  await screen.screenshot('time to fill in');
  expect(await page.getByRole('columnheader', { name: 'Time to fill in' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  await dialog.getByText('Time to fill in', { exact: true }).click();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Time to fill in' }).waitFor();
  await page.getByRole('gridcell', { name: '2 mins 5 secs', exact: true }).waitFor();
});

onScreen('the next submission is loaded where the list was read to its end, and a person is assigned by the keyboard', async () => {
  const assign = `PUT ${app}/submissions/${other.id}/assignee`;
  const screen = await open(
    at('submissions'),
    {
      ...inbox([person, other]),
      [list]: pageOf([person], { total: 2, next_cursor: 'second' }),
      [`${list}?cursor=second`]: pageOf([], { total: 2, next_cursor: 'third' }),
      [`${list}?cursor=third`]: pageOf([other], { total: 2 }),
      [assign]: { ...other, assignee: ada.id },
    },
    // Rows below the end of the list are loaded as they come near.
    { width: 1_280, height: 900 },
  );
  const { page, server } = screen;
  await rowOf(page, 'Ada').click();
  await panel(page).getByText('Ada', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await panel(page).getByText('Grace', { exact: true }).waitFor();
  await page.keyboard.press('a');
  await menuHasFocus(page);
  server.set(panelOf({ ...other, ...{ assignee: ada.id } }));
  await page.keyboard.press('Enter');
  await eventually(() => expect(server.sent(assign)).toMatchObject([{ user_id: ada.id }]));
});

onScreen('a submission on paper has the title of its form, absolute times and all of its answers', async () => {
  const many = Array.from({ length: 60 }, (_, n) => shortText(`q${n}`, `Question ${n}`));
  const of = submission(1, Object.fromEntries(many.map(({ key }, n) => [key, `Answer ${n}`])));
  const { page } = await open(`${at('submissions')}?open=${of.id}`, { ...inbox([of]), [`GET ${app}/versions/1`]: version(1, many) }, wide);
  await panel(page).getByText('Answer 59', { exact: true }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await panel(page).getByText('Site visit', { exact: true }).waitFor();
  const times = await page.evaluate<string[][]>(
    `[...document.querySelectorAll('section time')].map((time) => [getComputedStyle(time).fontSize, getComputedStyle(time, '::after').content])`,
  );
  expect(times.length).toBeGreaterThan(0);
  for (const [size, written] of times) expect([size, written]).toEqual(['0px', expect.stringMatching(/20\d\d/)]);
  expect(await panel(page).getByRole('button').count()).toBe(0);
  // An element around the panel that cuts it off would leave one page.
  const paper = await page.pdf({ format: 'A4' });
  expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(2);
});

onScreen('words that were searched for are marked in the list and in a submission, and a dialog tells what can be typed', async () => {
  const found = submission(1, { name: 'Jürgen Berger', town: 'b' });
  const screen = await open(`${at('submissions')}?q=berg%20berl`, { ...inbox([found]), [`${list}?q=berg berl`]: pageOf([found]) }, wide);
  const { page } = screen;
  const marksIn = (place: ReturnType<typeof page.locator>) => place.locator('mark').allTextContents();
  await page.getByRole('gridcell', { name: 'Jürgen Berger' }).waitFor();
  expect(await marksIn(page.getByRole('grid'))).toEqual(['Berg', 'Berl']);
  await page.keyboard.press('j');
  await panel(page).getByText(referenceOf(found.id)).waitFor();
  await panel(page).locator('mark').first().waitFor();
  expect(await marksIn(panel(page))).toEqual(['Berg', 'Berl']);
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: 'How to search' }).click();
  await page.getByRole('dialog', { name: 'How to search' }).getByText('"Anna Berger"').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('answers to a version that is missing stand under their keys, even if another one has its number', async () => {
  const of = submission(1, { name: 'Ada', lost: 'what was sent' }, { version_id: idOf(8, 1) });
  const another = { ...version(1, [shortText('name', 'Another question')]), id: idOf(8, 2) };
  const screen = await open(`${at('submissions')}?open=${of.id}`, {
    ...inbox([of]),
    [`GET ${app}/versions/1`]: another,
  });
  const answers = panel(screen.page).getByRole('region', { name: 'Answers' });
  await answers.getByText(/^Version 1 of the form, .* is missing/).waitFor();
  await answers.getByText('what was sent').waitFor();
  await answers
    .getByRole('term')
    .filter({ hasText: /^name$/ })
    .waitFor();
  expect(await answers.getByText('Another question').count()).toBe(0);
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('submissions are triaged by the keyboard alone, with Undo', async () => {
  const screen = await open(
    at('submissions'),
    { ...inbox([person, other, submission(3, { name: 'Joan' })]), [bulk('status')]: updated },
    wide,
  );
  const { page, server } = screen;
  await page.getByText('3 submissions').waitFor();
  await page.keyboard.press('j');
  await panel(page).getByText('Ada', { exact: true }).waitFor();
  await page.keyboard.press('s');
  await menuHasFocus(page);
  await page.keyboard.press('a');
  await hasFocus(page.getByRole('menuitem', { name: 'Approved' }));
  server.set(panelOf({ ...person, status: 'approved' }));
  await page.keyboard.press('Enter');
  await page.getByText('1 submission set to “Approved”').waitFor();
  await panel(page).getByText('Approved', { exact: true }).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  for (const name of ['Grace', 'Joan']) {
    await page.keyboard.press('j');
    await panel(page).getByText(name, { exact: true }).waitFor();
    await page.keyboard.press('x');
  }
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('s');
  await menuHasFocus(page);
  await page.keyboard.press('r');
  await hasFocus(page.getByRole('menuitem', { name: 'Rejected' }));
  await page.keyboard.press('Enter');
  await page.getByText('2 submissions set to “Rejected”').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  const two = [submissionId(2), submissionId(3)];
  await eventually(() =>
    expect(server.sent(bulk('status'))).toEqual([
      { submission_ids: [submissionId(1)], status: 'approved' },
      { submission_ids: two, status: 'rejected' },
      { submission_ids: two, status: 'new' },
    ]),
  );
});

onScreen('an assignment is taken back where nobody has changed the submission since, and what stays is counted', async () => {
  const three = [person, other, submission(3, { name: 'Joan' })];
  const assign = (number: number) => `PUT ${app}/submissions/${submissionId(number)}/assignee`;
  const assigned =
    (of: object) =>
    ({ body }: { body: { user_id: string | null } }) => ({
      ...of,
      updated_at: '2026-05-31T15:00:00.000000Z',
      ...(body.user_id !== null && { assignee: body.user_id }),
    });
  const { page, server, problems } = await open(
    at('submissions'),
    { ...inbox(three), ...Object.fromEntries(three.map((of, index) => [assign(index + 1), assigned(of)])) },
    wide,
  );
  await rowOf(page, 'Ada').waitFor();
  await page.getByRole('checkbox', { name: 'Select all loaded' }).click();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await menuHasFocus(page);
  await page.keyboard.press('Enter');
  await page.getByText('3 submissions assigned').waitFor();
  server.set({
    // The first one is erased, and somebody has passed on the second.
    [assign(1)]: refused(404, 'not_found', 'There is no such submission.'),
    [assign(2)]: { ...other, assignee: idOf(9, 9), updated_at: '2026-05-31T16:00:00.000000Z' },
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 submissions stay as they are: somebody has changed or erased them since').waitFor();
  expect(problems.take()).toEqual([expect.stringMatching(/^404: /)]);
  expect(server.sent(assign(3))).toEqual([{ user_id: ada.id }, { user_id: null, if_changed_at: '2026-05-31T15:00:00.000000Z' }]);
});

onScreen('all that a list finds is selected and changed in the background, with its progress, an end and the way back', async () => {
  const all = Array.from({ length: 100 }, (_, index) => submission(index + 1, { name: `Person ${index + 1}` }));
  const begun = (more: object) => ({
    id: idOf(7, 1),
    action: 'mark_spam',
    state: 'running',
    total: 12_345,
    done: 4_000,
    changed: 4_000,
    by: { kind: 'user', id: ada.id },
    created_at: then,
    expires_at: then,
    ...more,
  });
  const changes = `GET ${app}/bulk-changes`;
  const screen = await open(
    `${at('submissions')}?status=new`,
    {
      ...inbox(all),
      [`${list}?status=new`]: pageOf(all, { total: 12_345, next_cursor: 'second' }),
      [`${list}?status=new&cursor=second`]: pageOf([], { total: 12_345, next_cursor: 'third' }),
      [`${list}?status=new&cursor=third`]: pageOf([], { total: 12_345, next_cursor: 'third' }),
      [`POST ${app}/bulk-changes`]: new Reply(202, begun({ state: 'waiting', done: 0, changed: 0, total: undefined })),
    },
    wide,
  );
  const { page, server } = screen;
  await page.getByRole('checkbox', { name: 'Select all loaded' }).check();
  await page.getByText('100 selected').waitFor();
  await page.getByRole('button', { name: 'Select all 12,345 found' }).click();
  await page.getByText('All 12,345 found are selected').waitFor();
  await hasFocus(page.getByRole('region', { name: 'Selection' }));
  server.set({ [changes]: { data: [begun({})] } });
  await page.getByRole('button', { name: 'Mark as spam' }).click();
  await page.getByText('4,000 of 12,345 done').waitFor();
  await page.getByRole('progressbar', { name: 'Working' }).waitFor();
  expect(server.sent(`POST ${app}/bulk-changes`)).toEqual([{ action: 'mark_spam' }]);
  await page.locator(':focus').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);

  server.set({ [changes]: { data: [begun({ state: 'done', done: 12_345, changed: 12_300 })] } });
  await page.getByRole('status').getByText('12,300 submissions changed.').waitFor();
  // The way back outlives the page.
  await page.reload();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  server.set({
    [changes]: { data: [begun({ id: idOf(7, 2), undoes: idOf(7, 1) })] },
    [`POST ${app}/bulk-changes/${idOf(7, 1)}/undo`]: new Reply(202, begun({ id: idOf(7, 2), undoes: idOf(7, 1), total: undefined })),
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The change is being taken back.').waitFor();
  await page.locator(':focus').waitFor();
});

onScreen('the focus stays in the list when the bar of the selection goes away', async () => {
  const { page } = await open(at('submissions'), { ...inbox([person, other]), [bulk('trash')]: updated }, wide);
  await page.getByRole('checkbox', { name: 'Select all loaded' }).check();
  await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
  await page.getByText('2 selected').waitFor({ state: 'detached' });
  await page.locator(':focus').waitFor();
  await page.getByRole('checkbox', { name: 'Select all loaded' }).check();
  await page.getByRole('button', { name: 'Move to trash' }).press('Enter');
  await page.getByText('2 submissions moved to trash').waitFor();
  await page.locator(':focus').waitFor();
});

onScreen('a list is followed by keyboard to its end, over its pages, and selected as a range', async () => {
  const all = Array.from({ length: 120 }, (_, index) => submission(index + 1, { name: `Person ${index + 1}` }));
  const { page, server } = await open(
    at('submissions'),
    {
      ...inbox(all),
      [list]: pageOf(all.slice(0, 100), { total: 120, next_cursor: 'second' }),
      [`${list}?cursor=second`]: pageOf(all.slice(100), { total: 120 }),
      [bulk('status')]: updated,
    },
    wide,
  );
  await page.getByText('120 submissions').waitFor();
  await rowOf(page, 'Person 1').getByRole('gridcell').nth(1).focus();
  await eventually(async () => {
    await page.keyboard.press('Control+End');
    expect(await page.locator('[role=row][aria-rowindex="121"]').count()).toBe(1);
  });
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await page.getByText('120 selected').waitFor();
  await page.keyboard.press('s');
  await menuHasFocus(page);
  await page.keyboard.press('End');
  await hasFocus(page.getByRole('menuitem', { name: 'Archived' }));
  await page.keyboard.press('Enter');
  await page.getByText('120 submissions set to “Archived”').waitFor();
  const sent = server.sent(bulk('status')) as { submission_ids: string[]; status: string }[];
  expect(sent.flatMap(({ submission_ids: ids }) => ids)).toHaveLength(120);
});

onScreen('filters are in the address, where Back takes them back', async () => {
  const screen = await open(at('submissions'), { ...inbox([person, other]), [`${list}?filter[town]=b`]: pageOf([person]) }, wide);
  const { page } = screen;
  await rowOf(page, 'Grace').waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Town' }).click();
  await page.getByRole('dialog').getByText('Berlin').click();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('filter[town]')).toBe('b');
  await page.getByRole('button', { name: 'Town: Berlin', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove filter: Town: Berlin' }).click();
  await rowOf(page, 'Grace').waitFor();
  await page.goBack();
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  await page.goBack();
  await rowOf(page, 'Grace').waitFor();
});

onScreen('a filter on texts asks for a part of them first, and says so beside the list', async () => {
  const screen = await open(
    at('submissions'),
    {
      ...inbox([person, other]),
      [`${list}?filter[name][contains]=ra`]: pageOf([other]),
      [`${list}?filter[name][starts_with]=ra`]: pageOf([]),
    },
    wide,
  );
  const { page } = screen;
  await rowOf(page, 'Ada').waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Your name' }).click();
  await page.getByRole('textbox', { name: 'Answer' }).fill('ra');
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await rowOf(page, 'Ada').waitFor({ state: 'detached' });
  await rowOf(page, 'Grace').waitFor();
  await page.getByRole('button', { name: 'Your name: contains ra', exact: true }).click();
  await page.getByRole('dialog').getByText('Starts with').click();
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await page.getByRole('button', { name: 'Your name: starts with ra', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('filter[name][starts_with]')).toBe('ra');
});

onScreen('a filter that the API refuses says at the filter what is wrong with it', async () => {
  const message = 'must be an RFC 3339 date-time with an offset, such as 2026-05-31T14:30:00Z';
  const refusal = refused(400, 'bad_request', `from: ${message}`, [{ key: 'from', message }]);
  const screen = await open(`${at('submissions')}?from=yesterday`, { ...inbox([person]), [`${list}?from=yesterday`]: refusal }, wide);
  const { page } = screen;
  await page.getByRole('alert').filter({ hasText: 'from: must be' }).waitFor();
  await page.getByRole('button', { name: 'Remove filter: Received from yesterday' }).click();
  await rowOf(page, 'Ada').waitFor();
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^400: .*from=yesterday/);
});

onScreen('a person’s columns are kept, and are there the next time', async () => {
  const key = `submissions.${formId}`;
  const put = `PUT /app/v1/me/preferences/${key}`;
  const screen = await open(
    at('submissions'),
    {
      ...inbox([person]),
      [put]: ({ body }: { body: { value: unknown } }) => ({ key, value: body.value }),
    },
    wide,
  );
  const { page, server } = screen;
  const heads = (expected: string[]) =>
    eventually(async () => expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(expected));
  await heads(['', 'Your name', 'Received', 'Status', 'Assigned to', 'Town', 'Stars', 'Photo']);
  const change = async (column: string, action: string, expected: string[]) => {
    await page.getByRole('button', { name: `Options of “${column}”` }).click();
    await page.getByRole('menuitem', { name: action }).click();
    await heads(expected);
  };
  await change('Town', 'Move backward', ['', 'Your name', 'Received', 'Status', 'Town', 'Assigned to', 'Stars', 'Photo']);
  const wanted = ['', 'Your name', 'Received', 'Status', 'Town', 'Stars', 'Photo'];
  await change('Assigned to', 'Hide column', wanted);
  await eventually(() => expect(server.sent(put).at(-1)).toMatchObject({ value: { layout: { hidden: ['assignee'] } } }));
  server.set({
    'GET /app/v1/me/preferences': {
      data: { [key]: (server.sent(put).at(-1) as { value: unknown }).value },
    },
  });
  await page.reload();
  await rowOf(page, 'Ada').waitFor();
  await heads(wanted);
});

onScreen('a click on the name of a column sorts up, down and not at all, also by keyboard, and is kept in the address', async () => {
  const second = submission(2, { name: 'Zora', town: 'h' });
  const { page } = await open(
    at('submissions'),
    {
      ...inbox([person, second]),
      [`${list}?sort=answers.town`]: pageOf([person, second]),
      [`${list}?sort=-answers.town`]: pageOf([second, person]),
    },
    wide,
  );
  const head = page.getByRole('columnheader', { name: 'Town' });
  const sorted = (direction: string | null) => eventually(async () => expect(await head.getAttribute('aria-sort')).toBe(direction));
  await sorted(null);
  await head.getByRole('button', { name: 'Town', exact: true }).click();
  await sorted('ascending');
  await page.waitForURL(/sort=answers\.town/);
  // The click has left the focus on the name.
  await page.keyboard.press('Enter');
  await sorted('descending');
  await eventually(async () => expect(await page.getByRole('row').nth(1).innerText()).toContain('Zora'));
  await page.waitForURL(/sort=-answers\.town/);
  await page.keyboard.press('Enter');
  await sorted(null);
  expect(page.url()).not.toContain('sort');
});

onScreen('a list in its own order is turned round by the column of its time, and back', async () => {
  const second = submission(2, { name: 'Zora' });
  const answers = { ...inbox([person, second]), [`${list}?sort=created`]: pageOf([second, person]) };
  const { page } = await open(at('submissions'), answers, wide);
  const head = page.getByRole('columnheader', { name: 'Received' });
  const sorted = (direction: string) => eventually(async () => expect(await head.getAttribute('aria-sort')).toBe(direction));
  const name = head.getByRole('button', { name: 'Received', exact: true });
  await sorted('descending');
  await name.click();
  await sorted('ascending');
  await eventually(async () => expect(await page.getByRole('row').nth(1).innerText()).toContain('Zora'));
  await name.click();
  await sorted('descending');
  await eventually(async () => expect(await page.getByRole('row').nth(1).innerText()).toContain('Ada'));
  expect(page.url()).not.toContain('sort');
});

onScreen('answers of a form that is not searched do not sort a list, and what is known of submissions does', async () => {
  const { page } = await open(
    at('submissions'),
    { ...inbox([person], { searchable: false }), [`${list}?sort=status`]: pageOf([person]) },
    wide,
  );
  const head = page.getByRole('columnheader', { name: 'Town' });
  await head.waitFor();
  expect(await head.getByRole('button', { name: 'Town', exact: true }).count()).toBe(0);
  await head.getByRole('button', { name: 'Options of “Town”' }).click();
  await page.getByRole('menuitem', { name: 'Hide column' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /^Sort/ }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Status' }).getByRole('button', { name: 'Status', exact: true }).click();
  await page.waitForURL(/sort=status/);
});

onScreen('an order that the API refuses goes with a click, and with the filters', async () => {
  const refusal = refused(400, 'bad_request', 'sort: searching is switched off for this form');
  const screen = await open(
    `${at('submissions')}?status=new&sort=answers.town`,
    {
      ...inbox([person], { searchable: false }),
      [`${list}?status=new&sort=answers.town`]: refusal,
      [`${list}?sort=answers.town`]: refusal,
      [`${list}?status=new`]: pageOf([person]),
    },
    wide,
  );
  const { page } = screen;
  await page.getByRole('alert').getByText('searching is switched off').waitFor();
  await page.getByRole('columnheader', { name: 'Town' }).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Remove the order' }).click();
  await rowOf(page, 'Ada').waitFor();
  expect(page.url()).toContain('status=new');
  expect(page.url()).not.toContain('sort');
  await page.goBack();
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rowOf(page, 'Ada').waitFor();
  expect(page.url()).not.toMatch(/sort|status/);
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^400: .*sort=answers/);
});

onScreen('a list by the time of change shows no order by a column, and offers none', async () => {
  const { page } = await open(
    `${at('submissions')}?changed_since=2026-01-01&sort=answers.town`,
    { ...inbox([person]), [`${list}?sort=-updated`]: pageOf([person]) },
    wide,
  );
  await rowOf(page, 'Ada').waitFor();
  expect(await page.locator('[aria-sort]').count()).toBe(0);
  expect(await page.getByRole('columnheader').getByRole('button', { name: 'Town', exact: true }).count()).toBe(0);
});

onScreen('an order that is prepared says how far it is, and shows the list once it is there', async () => {
  const prepared = (done: number) => ({ ...pageOf([]), next_cursor: `from-${done}`, preparing: { done, of: 120_000 } });
  const screen = await open(
    `${at('submissions')}?sort=answers.name`,
    {
      ...inbox([person]),
      [`${list}?sort=answers.name`]: prepared(40_000),
      [`${list}?sort=answers.name&cursor=from-40000`]: prepared(80_000),
      [`${list}?sort=answers.name&cursor=from-80000`]: pageOf([person]),
    },
    wide,
  );
  await screen.page.getByText('40,000 of 120,000 submissions are done').waitFor();
  await screen.page.getByText('80,000 of 120,000 submissions are done').waitFor();
  await rowOf(screen.page, 'Ada').waitFor();
  await screen.page.getByText('submissions are done').waitFor({ state: 'detached' });
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('the name of a column keeps the focus while its order is prepared, and where it fails', async () => {
  const preparing = { ...pageOf([]), next_cursor: 'on', preparing: { done: 40_000, of: 120_000 } };
  const screen = await open(
    at('submissions'),
    {
      ...inbox([person]),
      [`${list}?sort=answers.name`]: preparing,
      [`${list}?sort=-answers.name`]: refused(400, 'bad_request', 'sort: no version of the form has the field name'),
    },
    wide,
  );
  const { page } = screen;
  await rowOf(page, 'Ada').waitFor();
  const name = page.getByRole('button', { name: 'Your name', exact: true });
  await name.click();
  await page.getByText('40,000 of 120,000 submissions are done').waitFor();
  await hasFocus(name);
  expect(await page.getByRole('grid').getAttribute('aria-busy')).toBe('true');
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await hasFocus(name);
  await page.keyboard.press('Enter');
  await rowOf(page, 'Ada').waitFor();
  await hasFocus(name);
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^400: .*sort=-answers/);
});

onScreen(
  'no loading takes the focus away: that of a removed filter goes to its neighbour, then to the list, that of a row to the next',
  async () => {
    const screen = await open(
      `${at('submissions')}?status=new&filter[town]=b`,
      {
        ...inbox([person, other]),
        [`${list}?status=new&filter[town]=b`]: pageOf([]),
        [`${list}?filter[town]=b`]: pageOf([person]),
      },
      wide,
    );
    const { page, server } = screen;
    const remove = (filter: string) => page.getByRole('button', { name: `Remove filter: ${filter}` });
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('columnheader', { name: 'Town' }).waitFor();
    await remove('Status: New').press('Enter');
    await rowOf(page, 'Ada').waitFor();
    await hasFocus(remove('Town: Berlin'));
    await page.keyboard.press('Enter');
    await rowOf(page, 'Grace').waitFor();
    expect(await page.evaluate<boolean>('document.activeElement !== document.body')).toBe(true);
    const cell = rowOf(page, 'Ada').getByRole('gridcell', { name: 'Ada', exact: true });
    await cell.focus();
    server.set({ [`GET ${app}/submissions/${person.id}`]: refused(404, 'not_found', 'no') });
    server.change({ kind: 'submission', action: 'trashed', form_id: formId, submission_id: person.id });
    await rowOf(page, 'Ada').waitFor({ state: 'detached' });
    await hasFocus(rowOf(page, 'Grace').getByRole('gridcell', { name: 'Grace', exact: true }));
    for (const problem of screen.problems.take()) expect(problem).toMatch(/^404: /);
  },
);

onScreen('what arrives and what changes shows without moving the list', async () => {
  const { page, server } = await open(at('submissions'), inbox([person]), wide);
  await rowOf(page, 'Ada').waitFor();
  server.set(panelOf({ ...person, status: 'in_review' }));
  server.change({
    kind: 'submission',
    action: 'status_changed',
    form_id: formId,
    submission_id: person.id,
  });
  await rowOf(page, 'Ada').getByText('In review').waitFor();
  server.set({ ...panelOf(other), [list]: pageOf([other, person]) });
  server.change({
    kind: 'submission',
    action: 'created',
    form_id: formId,
    submission_id: other.id,
  });
  await page.getByText('1 new submission').waitFor();
  expect(await rowOf(page, 'Grace').count()).toBe(0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await rowOf(page, 'Grace').waitFor();
});

describe('correcting answers', () => {
  const put = `PATCH ${app}/submissions/${person.id}`;
  async function correcting(more: object = {}) {
    const screen = await open(
      `${at('submissions')}?open=${person.id}`,
      {
        ...inbox([person], { current_version: 2 }),
        [`GET ${app}/versions/2`]: version(2, fields.slice(0, 1)),
        ...more,
      },
      wide,
    );
    const { page } = screen;
    await panel(page).getByText('Version 1').waitFor();
    await panel(page).getByText('Berlin').waitFor();
    await panel(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Correct answers' }).click();
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
    await page.getByRole('textbox', { name: 'Reason' }).fill('She called.');
    return screen;
  }

  onScreen('says at the answer what is wrong with it, and that somebody else was faster', async () => {
    const fault = { key: 'stars', code: 'not_number', params: {}, message: 'must be a number' };
    const screen = await correcting({
      [put]: refused(400, 'bad_request', 'data.stars: must be a number', [fault]),
    });
    const { page, server } = screen;
    await page.getByRole('textbox', { name: 'Stars' }).fill('many');
    expect(await screen.accessibilityFaults()).toEqual([]);
    await page.getByRole('button', { name: 'Save correction' }).click();
    await page.getByText('1 answer needs a correction.').waitFor();
    await eventually(async () => expect(await page.getByRole('textbox', { name: 'Stars' }).getAttribute('aria-invalid')).toBe('true'));
    server.set({
      [put]: refused(409, 'conflict', 'The submission has been corrected since you read it.'),
    });
    await page.getByRole('textbox', { name: 'Stars' }).fill('5');
    await page.getByRole('button', { name: 'Save correction' }).click();
    await page.getByText('Somebody else has corrected this submission meanwhile.').waitFor();
    expect(screen.problems.take()).toEqual([expect.stringContaining('400: '), expect.stringContaining('409: ')]);
    const corrected = { ...person, data: { name: 'A. Lovelace' }, revision: 1, edited: true };
    server.set({ ...panelOf(corrected), [list]: pageOf([corrected]) });
    server.change({
      kind: 'submission',
      action: 'corrected',
      form_id: formId,
      submission_id: person.id,
    });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await panel(page).getByText('A. Lovelace').waitFor();
  });

  onScreen('hides at once what is no longer asked for, says whose answers fall away, and leaves them out', async () => {
    const visible_if = { key: 'town', equals: 'b' };
    const items = [...fields, { type: 'section', label: 'At {{town}}', visible_if }, shortText('street', 'Your street', { visible_if })];
    const answered = { ...person, data: { ...person.data, street: 'Main Street' } };
    const screen = await correcting({
      [`GET ${app}/versions/1`]: version(1, items),
      ...panelOf(answered),
      [list]: pageOf([answered]),
      [put]: answered,
    });
    const { page, server } = screen;
    const street = page.getByRole('textbox', { name: 'Your street' });
    const dialog = page.getByRole('dialog');
    const notice = dialog.getByRole('status');
    await dialog.getByRole('heading', { name: 'At [town]' }).waitFor();
    expect(await page.locator('h4').allInnerTexts()).toContain('At [town]');
    expect([await street.inputValue(), await notice.innerText()]).toEqual(['Main Street', '']);
    const choose = async (before: string, town: string) => {
      await page.getByRole('button', { name: `${before} Town` }).click();
      await page.getByRole('option', { name: town }).click();
    };
    await choose('Berlin', 'Hamburg');
    await street.waitFor({ state: 'detached' });
    expect(await dialog.getByRole('heading', { name: 'At [town]' }).count()).toBe(0);
    expect((await notice.innerText()).split(/\n+/)).toEqual([expect.stringMatching(/^This answer is no longer asked for/), 'Your street']);
    expect(await screen.accessibilityFaults()).toEqual([]);
    await choose('Hamburg', 'Berlin');
    expect([await street.inputValue(), await notice.innerText()]).toEqual(['Main Street', '']);
    await choose('Berlin', 'Hamburg');
    await page.getByRole('button', { name: 'Save correction' }).click();
    await page.getByText('Correction saved').waitFor();
    expect(server.sent(put)).toEqual([{ data: { name: 'Ada Lovelace', town: 'h', stars: 4 }, revision: 0, reason: 'She called.' }]);
  });

  onScreen('computes with the day of arrival in the time zone of the form, and says at a calculated answer why it is refused', async () => {
    const late = [
      ...fields,
      { key: 'day', label: 'Day', type: 'date', required: false },
      {
        ...{ key: 'days', label: 'Days since', type: 'calculated' },
        required: false,
        formula: 'days_between(day, today())',
        format: 'number',
      },
      shortText('why', 'Why so late', { visible_if: { key: 'days', gt: 0 } }),
    ];
    const answered = {
      ...person,
      created_at: '2026-05-31T22:30:00.000Z',
      data: { ...person.data, day: '2026-05-31', days: 1, why: 'Rain' },
    };
    const fault = { key: 'days', code: 'refused', params: {}, message: 'Come earlier.' };
    const screen = await correcting({
      ...inbox([answered], { current_version: 2, timezone: 'Europe/Berlin' }),
      [`GET ${app}/versions/2`]: version(2, fields.slice(0, 1)),
      [`GET ${app}/versions/1`]: version(1, late),
      [put]: refused(400, 'bad_request', 'data.days: Come earlier.', [fault]),
    });
    const { page, server } = screen;
    const days = page.getByRole('textbox', { name: 'Days since' });
    expect([await days.inputValue(), await days.isEditable()]).toEqual(['1', false]);
    expect(await page.getByRole('textbox', { name: 'Why so late' }).inputValue()).toBe('Rain');
    await page.getByRole('button', { name: 'Save correction' }).click();
    await page.getByText('1 answer needs a correction.').waitFor();
    await page.getByText('Come earlier.').waitFor();
    expect(await days.getAttribute('aria-invalid')).toBe('true');
    expect(server.sent(put)).toMatchObject([{ data: { day: '2026-05-31', why: 'Rain' } }]);
    expect(screen.problems.take()).toEqual([expect.stringContaining('400: ')]);
    expect(await screen.accessibilityFaults()).toEqual([]);
    await screen.screenshot('correction of a calculated answer');
  });

  onScreen('has a list for each rank of a ranking, and says there what is wrong', async () => {
    const options = ['Rome', 'Oslo', 'Lima'].map((value) => ({ value, label: `In ${value}` }));
    const cities = { key: 'cities', label: 'Where?', type: 'ranking', required: true, options, ranks: 2 };
    const answered = { ...person, data: { ...person.data, cities: ['Oslo', 'Rome'] } };
    const fault = { key: 'cities', code: 'repeated_option', params: {}, message: 'must not contain an option twice' };
    const screen = await correcting({
      ...inbox([answered], { current_version: 2 }),
      [`GET ${app}/versions/2`]: version(2, fields.slice(0, 1)),
      [`GET ${app}/versions/1`]: version(1, [...fields, cities]),
      [put]: refused(400, 'bad_request', 'data.cities: must not contain an option twice', [fault]),
    });
    const { page, server } = screen;
    const group = page.getByRole('group', { name: /Where\?/ });
    expect(await group.getByRole('button').allInnerTexts()).toEqual(['In Oslo', 'In Rome']);
    await group.getByRole('button', { name: 'Rank 1' }).click();
    await page.getByRole('option', { name: 'In Lima' }).click();
    await page.getByRole('button', { name: 'Save correction' }).click();
    await group.getByText('Choose each option only once').waitFor();
    expect(server.sent(put)).toMatchObject([{ data: { cities: ['Lima', 'Rome'] } }]);
    expect(screen.problems.take()).toEqual([expect.stringContaining('400: ')]);
    expect(await screen.accessibilityFaults()).toEqual([]);
    await screen.screenshot('correction of a ranking');
  });

  onScreen(
    'has the fields of each item of a repeat, says which of its answers fall away, and keeps the focus when one is removed',
    async () => {
      const bringing = shortText('dish', 'Dish', { visible_if: { key: 'brings', equals: true } });
      const brings = { key: 'brings', label: 'Brings a dish', type: 'boolean', required: false };
      const sides = {
        key: 'sides',
        label: 'Sides',
        type: 'multi_select',
        required: false,
        options: [{ value: 'rice', label: 'Rice' }],
      };
      const guests = {
        key: 'guests',
        label: 'Guests',
        item_label: 'Guest',
        type: 'repeat',
        required: false,
        fields: [shortText('guest', 'Name of the guest'), brings, bringing, sides],
      };
      const answered = {
        ...person,
        data: { ...person.data, guests: [{ guest: 'Bo', brings: true, dish: 'Soup' }, {}, { guest: 'Cy' }] },
      };
      const faults = [0, 2].map((at) => ({ key: `guests[${at}].sides`, code: 'required', params: {}, message: 'is required' }));
      const screen = await correcting({
        ...inbox([answered], { current_version: 2 }),
        [`GET ${app}/versions/2`]: version(2, fields.slice(0, 1)),
        [`GET ${app}/versions/1`]: version(1, [...fields, guests]),
        [put]: refused(400, 'bad_request', 'data.guests[0].sides: is required', faults),
      });
      const { page, server } = screen;
      const guest = (number: number) => page.getByRole('group', { name: `Guest ${number}`, exact: true });
      await guest(3).waitFor();
      expect(await guest(3).getByRole('textbox', { name: 'Dish' }).count()).toBe(0);
      await guest(1).getByText('No', { exact: true }).click();
      await page.getByText('Guest 1: Dish').waitFor();
      expect(await guest(1).getByRole('textbox', { name: 'Dish' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Save correction' }).click();
      await eventually(() =>
        expect(server.sent(put)).toMatchObject([{ data: { guests: [{ guest: 'Bo', brings: false }, {}, { guest: 'Cy' }] } }]),
      );
      await guest(3).locator('.fault').waitFor();
      expect(screen.problems.take()).toEqual([expect.stringContaining('400: ')]);
      const described = page.getByRole('group', { name: 'Sides' });
      const [first, last] = [
        await described.first().getAttribute('aria-describedby'),
        await described.last().getAttribute('aria-describedby'),
      ];
      expect([first, last]).toEqual([expect.any(String), expect.any(String)]);
      expect(first).not.toBe(last);
      expect(await screen.accessibilityFaults()).toEqual([]);
      await screen.screenshot('correction of a repeat');
      const removing = (number: number) => page.getByRole('button', { name: `Remove Guest ${number}` });
      await removing(2).focus();
      await page.keyboard.press('Enter');
      await hasFocus(page.locator('legend', { hasText: 'Guest 2' }));
      expect(await guest(2).getByRole('textbox', { name: 'Name of the guest' }).inputValue()).toBe('Cy');
      await removing(2).focus();
      await page.keyboard.press('Enter');
      await hasFocus(page.getByRole('button', { name: 'Add another: Guests' }));
      await page.keyboard.press('Enter');
      await hasFocus(page.locator('legend', { hasText: 'Guest 2' }));
    },
  );

  onScreen('says what is wrong with an answer that is not shown', async () => {
    const fault = { key: 'street', code: 'required', params: {}, message: 'is required' };
    const street = shortText('street', 'Your street', { visible_if: { key: 'town', equals: 'h' } });
    const screen = await correcting({
      [`GET ${app}/versions/1`]: version(1, [...fields, street]),
      [put]: refused(400, 'bad_request', 'data.street: is required', [fault]),
    });
    await screen.page.getByRole('button', { name: 'Save correction' }).click();
    await screen.page.getByRole('dialog').getByText('data.street: is required').waitFor();
    expect(screen.problems.take()).toEqual([expect.stringContaining('400: ')]);
  });

  onScreen('sends all answers with the revision and the reason, and shows the answers before', async () => {
    const screen = await correcting();
    const { page, server } = screen;
    const corrected = {
      ...person,
      data: { ...person.data, name: 'Ada Lovelace' },
      revision: 1,
      edited: true,
    };
    const revisions = [{ number: 1, changed_at: then, changed_by: byAda, reason: 'She called.' }];
    server.set({
      [put]: corrected,
      ...panelOf(corrected, { revisions }),
      [`GET ${app}/submissions/${person.id}/revisions/1`]: {
        ...revisions[0],
        schema_version: 1,
        data: { name: 'The name before', stars: 4 },
      },
      [list]: pageOf([corrected]),
    });
    await page.getByRole('button', { name: 'Save correction' }).click();
    await page.getByText('Correction saved').waitFor();
    await eventually(() =>
      expect(server.sent(put)).toEqual([
        {
          data: { name: 'Ada Lovelace', town: 'b', stars: 4 },
          revision: 0,
          reason: 'She called.',
        },
      ]),
    );
    await panel(page).getByText('She called.').waitFor();
    await panel(page).getByRole('button', { name: 'Show the answers before' }).first().click();
    await panel(page).getByText('The name before', { exact: true }).waitFor();
  });
});

describe('entering a submission', () => {
  const post = `POST ${app}/submissions`;
  const entered = submission(1, { name: 'From paper' }, { entered_by: byAda });

  onScreen('says what is missing, and asks before it is thrown away', async () => {
    const fault = { key: 'name', code: 'required', params: {}, message: 'is required' };
    const screen = await open(
      at('submissions'),
      { ...inbox([]), [post]: refused(400, 'bad_request', 'data.name: is required', [fault]) },
      wide,
    );
    const { page, server } = screen;
    await page.getByText('No submissions yet').waitFor();
    expect(await screen.accessibilityFaults()).toEqual([]);
    await page.getByRole('button', { name: 'Enter a submission' }).click();
    await page.getByRole('button', { name: 'Add submission' }).click();
    await page.getByText('1 answer needs a correction.').waitFor();
    expect(screen.problems.take()).toEqual([expect.stringContaining('400: ')]);
    await page.getByRole('textbox', { name: 'Your name' }).fill('From paper');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard your answers?' }).getByRole('button', { name: 'Cancel' }).click();
    server.set({ [post]: entered, ...panelOf(entered), [list]: pageOf([entered]) });
    await page.getByRole('button', { name: 'Add submission' }).click();
    await panel(page).getByText('Entered by Ada Lovelace').waitFor();
    await eventually(() => expect(server.sent(post).at(-1)).toEqual({ data: { name: 'From paper' } }));
  });

  onScreen('can be sent again after its answer was lost', async () => {
    const screen = await open(at('submissions'), { ...inbox([]), [post]: lost }, wide);
    const { page, server } = screen;
    await page.getByRole('button', { name: 'Enter a submission' }).click();
    await page.getByRole('textbox', { name: 'Your name' }).fill('From paper');
    await page.getByRole('button', { name: 'Add submission' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    server.set({ [post]: entered, ...panelOf(entered), [list]: pageOf([entered]) });
    await page.getByRole('button', { name: 'Add submission' }).click();
    await panel(page).getByText('Entered by Ada Lovelace').waitFor();
    screen.problems.take();
  });
});

onScreen('submissions go to the trash, and those that this has moved there come back with Undo', async () => {
  const { page, server } = await open(
    at('submissions'),
    {
      ...inbox([person, other]),
      [bulk('trash')]: { updated: [person.id], unchanged: [other.id], changed_at: then },
      [bulk('restore')]: updated,
    },
    wide,
  );
  await rowOf(page, 'Ada').waitFor();
  await page.getByRole('checkbox', { name: 'Select all loaded' }).click();
  await page.getByText('2 selected').waitFor();
  server.set({ [list]: pageOf([]) });
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await page.getByText('2 submissions moved to trash').waitFor();
  server.set({ [list]: pageOf([person, other]) });
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowOf(page, 'Ada').waitFor();
  await eventually(() => expect(server.sent(bulk('restore'))).toEqual([{ submission_ids: [person.id], if_changed_at: then }]));
});

onScreen('what is in the trash is restored, or erased after a question', async () => {
  const { id, form_id, data, schema_version, status, created_at } = person;
  const trashed = pageOfTrash([{ id, form_id, data, schema_version, status, created_at, deleted_at: then }]);
  const trash = `GET ${app}/submissions/trash`;
  const screen = await open(
    `${at('submissions')}?place=trash`,
    {
      ...inbox([]),
      [trash]: trashed,
      [bulk('restore')]: updated,
      [bulk('trash')]: updated,
      [bulk('erase')]: { erasure_id: idOf(9) },
    },
    wide,
  );
  const { page, server } = screen;
  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByText('Ada').first().waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set({ [trash]: pageOfTrash([]) });
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('The trash is empty').waitFor();
  server.set({ [trash]: trashed });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('button', { name: 'Erase forever' }).click();
  server.set({ [trash]: pageOfTrash([]) });
  await page.getByRole('dialog').getByRole('button', { name: 'Erase forever' }).click();
  await page.getByText('1 submission erased').waitFor();
  await page.getByText('The trash is empty').waitFor();
  await eventually(() => expect(server.sent(bulk('erase'))).toEqual([{ submission_ids: [person.id] }]));
});

onScreen('spam is kept apart with its reason, and released', async () => {
  const { id, form_id, data, schema_version, status, created_at } = person;
  const spam = `GET ${app}/submissions/spam`;
  const marked = {
    id,
    form_id,
    data,
    schema_version,
    status,
    created_at,
    spam_reason: 'marked',
    spam_at: then,
  };
  const screen = await open(at('submissions'), { ...inbox([person]), [spam]: pageOfTrash([marked]), [bulk('spam')]: updated }, wide);
  const { page, server } = screen;
  await rowOf(page, 'Ada').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Mark as spam' }).click();
  await page.getByText('1 submission marked as spam').waitFor();
  await page.getByRole('link', { name: 'Spam' }).click();
  await page.getByText('Marked by a person').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set({ [spam]: pageOfTrash([]) });
  await page.getByRole('button', { name: 'Release' }).click();
  await page.getByText('No spam').waitFor();
  await eventually(() => expect(server.sent(bulk('spam')).map((sent) => (sent as { spam: boolean }).spam)).toEqual([true, false]));
});

function pageOfTrash(data: readonly object[]) {
  return { data, total: data.length, limit: 50, offset: 0 };
}

onScreen('an export is a file, for people unless it is wanted for programs', async () => {
  const csv = text('text/csv', 'Your name\nAda\n', {
    'content-disposition': 'attachment; filename="visits.csv"',
  });
  const screen = await open(at('submissions'), { ...inbox([person]), [`GET ${app}/submissions/export`]: csv }, wide);
  const { page } = screen;
  const exported = async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    return page.getByRole('dialog');
  };
  const startedBy = async (dialog: Awaited<ReturnType<typeof exported>>) => {
    const asked = page.waitForRequest((request) => request.url().includes('/submissions/export'));
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Start export' }).click()]);
    await dialog.waitFor({ state: 'detached' });
    return { name: download.suggestedFilename(), query: new URL((await asked).url()).search };
  };
  expect(await startedBy(await exported())).toEqual({
    name: 'visits.csv',
    query: '?format=xlsx&language=en',
  });
  await page.getByText('Export finished').waitFor();

  const dialog = await exported();
  await dialog.getByText('CSV for every').click();
  await dialog.getByText('For programs keys').click();
  await dialog.getByText('A column for each option').click();
  await dialog.getByRole('button', { name: 'Separator' }).click();
  await page.getByRole('option', { name: 'Semicolon' }).click();
  await dialog.getByText('Marked as UTF-8').click();
  await dialog.getByText('Choose the columns').click();
  const column = (name: string) => dialog.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name, exact: true }) });
  for (const name of ['Submission', 'Version', 'Status', 'Town', 'Stars', 'Photo']) await column(name).locator('label').first().click();
  await column('Assigned to').locator('label').first().click();
  await dialog.getByRole('textbox', { name: 'Heading of “Your name”' }).fill('Who, as they wrote it');
  await dialog.getByRole('button', { name: 'Move “Your name” up' }).click();
  await screen.screenshot('export of submissions');
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect((await startedBy(dialog)).query).toBe(
    '?format=csv&columns=answers.name%3AWho%2C+as+they+wrote+it&columns=created_at&columns=assignee&choices=columns&delimiter=semicolon&bom=false',
  );
});

onScreen('the files of submissions are an archive, without choices that only tables have', async () => {
  const zip = new Reply(undefined, Buffer.from('PK'), 'application/zip', {
    'content-disposition': 'attachment; filename="visits-files.zip"',
  });
  const screen = await open(at('submissions'), { ...inbox([person]), [`GET ${app}/submissions/export`]: zip }, { width: 320, height: 900 });
  const { page } = screen;
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('ZIP all uploaded files').click();
  expect(await dialog.getByRole('checkbox').count()).toBe(0);
  expect(await dialog.getByRole('radio').count()).toBe(4);
  await screen.screenshot('export of files');
  expect(await screen.accessibilityFaults()).toEqual([]);
  const asked = page.waitForRequest((request) => request.url().includes('/submissions/export'));
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Start export' }).click()]);
  expect(download.suggestedFilename()).toBe('visits-files.zip');
  expect(new URL((await asked).url()).search).toBe('?format=zip&language=en');
});

onScreen('markup, right-to-left answers and long titles show as what they are', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const fileId = idOf(8);
  const hostile = submission(1, { name: markup, photo: fileId });
  const disposition = {
    'content-disposition': `attachment; filename="${markup.replaceAll(/[<>]/g, '')}.png"`,
    'content-length': String(png.length),
  };
  const picture = new Reply(undefined, png, 'image/png', disposition);
  const screen = await open(
    at('submissions'),
    {
      ...inbox([submission(2, { name: 'مرحبا بكم' }), hostile], { title: '🎉'.repeat(200) }),
      ...panelOf(hostile, { notes: [note(1, `<script>alert('note')</script>`)] }),
      [`GET ${app}/files/${fileId}`]: picture,
    },
    { width: 320, height: 900 },
  );
  const { page } = screen;
  await rowOf(page, 'مرحبا بكم').waitFor();
  const direction = `getComputedStyle([...document.querySelectorAll('[role=gridcell] > [dir=auto]')].find((cell) => cell.textContent === 'مرحبا بكم')).direction`;
  expect(await page.evaluate<string>(direction)).toBe('rtl');
  await rowOf(page, markup).click();
  await panel(page).getByText(`<script>alert('note')</script>`).waitFor();
  await panel(page).getByRole('button', { name: 'Show picture' }).click();
  await panel(page).getByRole('img').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
});

onScreen('on a phone, submissions are cards under all their columns, and the keyboard walks both', async () => {
  const screen = await open(at('submissions'), inbox([person, other]), { width: 320, height: 700 });
  const { page } = screen;
  const card = page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: 'Ada', exact: true }) });
  await card.waitFor();
  const scrollers = `[...document.querySelectorAll('[role=grid], [role=grid] [role=row]:has([role=gridcell])')]`;
  expect(await page.evaluate(`${scrollers}.filter((each) => each.scrollWidth > each.clientWidth).length`)).toBe(0);
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('submissions as cards');
  await page.getByRole('gridcell', { name: 'Ada', exact: true }).focus();
  const column = () => page.evaluate<string>(`document.activeElement.closest('[data-cell]').dataset.cell`);
  const walked: string[] = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home', 'ArrowUp', 'End']) {
    await page.keyboard.press(key);
    walked.push(await column());
  }
  expect(walked.join(' ')).toBe('0:2 0:3 0:4 0:5 0:5 0:4 0:0 -1:0 -1:7');
  // Columns that cards do not show are left when the window becomes narrow.
  await page.setViewportSize({ width: 1_280, height: 700 });
  await page.getByRole('gridcell', { name: 'Ada', exact: true }).focus();
  await page.keyboard.press('End');
  await page.setViewportSize({ width: 320, height: 700 });
  await eventually(async () => expect(await page.locator('[role=row] [data-cell][tabindex="0"]').count()).toBe(1));
});

const pictureOf = (colour: string): Reply => {
  const png = readFileSync(join(__dirname, '../../../docs/screens/check-dark.png'));
  const headers = { 'content-disposition': `attachment; filename="${colour}.png"`, 'content-length': String(png.length) };
  return new Reply(undefined, png, 'image/png', headers);
};

onScreen.each([
  ['in a wide window', { width: 1_280, height: 900 }],
  ['in the dark on a phone', { width: 360, height: 780, dark: true }],
] as const)('files are looked at over the list by the keyboard, %s', async (where, view) => {
  const file = (number: number) => idOf(8, number);
  const first = submission(1, { name: 'Ada', photo: [file(1), file(2)] });
  const second = submission(3, { name: 'Joan', photo: file(3) });
  const screen = await open(
    at('submissions'),
    {
      ...inbox([first, other, second]),
      [`GET ${app}/files/${file(1)}`]: pictureOf('red'),
      [`GET ${app}/files/${file(2)}`]: pictureOf('green'),
      [`GET ${app}/files/${file(3)}`]: new Reply(undefined, 'a,b', 'text/csv', {
        'content-disposition': 'attachment; filename="answers.csv"',
        'content-length': '3',
      }),
    },
    view,
  );
  const { page } = screen;
  const dialog = page.getByRole('dialog', { name: 'Photo' });
  const cell = page.getByRole('gridcell', { name: 'Ada', exact: true });
  await cell.focus();
  await page.keyboard.press('v');
  await dialog.getByRole('img', { name: 'red.png' }).waitFor();
  await dialog.getByText('File 1 of 2').waitFor();
  await screen.screenshot(`quick look, ${where}`);
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await dialog.getByRole('img', { name: 'green.png' }).waitFor();
  // The second submission has no files.
  await page.keyboard.press('ArrowDown');
  await dialog.getByText('There is no preview of this file.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Next file' }).isDisabled()).toBe(true);
  await page.evaluate('document.documentElement.dir = "rtl"');
  await page.keyboard.press('ArrowRight');
  await dialog.getByRole('img', { name: 'green.png' }).waitFor();
  await screen.screenshot(`quick look, ${where}, right to left`);
  await page.evaluate('document.documentElement.dir = "ltr"');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(cell);

  // On a phone, the column of the files is beyond the edge.
  if (where === 'in a wide window') {
    await page.getByRole('row').filter({ hasText: 'Joan' }).getByRole('button', { name: '1 file' }).click();
    await dialog.getByText('answers.csv').waitFor();
    await page.keyboard.press(' ');
    await dialog.waitFor({ state: 'detached' });
    expect(await panel(page).count()).toBe(0);
  }
  await page.getByRole('gridcell', { name: 'Grace', exact: true }).focus();
  await page.keyboard.press('v');
  await page.getByRole('dialog', { name: 'Quick look' }).getByText('This submission has no files.').waitFor();
});

onScreen('a viewer reads, and is offered nothing else', async () => {
  const { page } = await open(at('submissions'), { ...signedIn('viewer'), ...inbox([person], {}, 'viewer') }, { dark: true });
  await rowOf(page, 'Ada').click();
  await panel(page).getByText('Berlin').waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  for (const name of ['Set status', 'Assign', 'Add note', 'Move to trash'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  await panel(page).getByRole('button', { name: 'More actions' }).click();
  await eventually(async () => expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Print', 'Copy link to this submission']));
});

onScreen('a note that is written when the session ends is there after signing in again', async () => {
  const screen = await open(`${at('submissions')}?open=${person.id}`, inbox([person]), wide);
  const { page, server } = screen;
  const notes = `${app}/submissions/${person.id}/notes`;
  await panel(page).getByRole('textbox', { name: 'New note' }).fill('Call her back');
  server.set({ [`POST ${notes}`]: refused(401, 'authentication_required', 'Sign in.') });
  await panel(page).getByRole('button', { name: 'Add note' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByRole('textbox', { name: 'Password' }).fill('a good long password');
  server.set({
    'POST /app/v1/sessions': sessionOf('owner'),
    [`POST ${notes}`]: note(1, 'Call her back'),
    [`GET ${notes}`]: pageOf([note(1, 'Call her back')]),
  });
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  await panel(page).getByRole('button', { name: 'Add note' }).click();
  await panel(page).getByRole('listitem').getByText('Call her back').first().waitFor();
  await eventually(() => expect(server.sent(`POST ${notes}`).at(-1)).toEqual({ text: 'Call her back' }));
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^401: /);
});
