import { publishWarning } from '@sheaf/contracts';
import { eventually, hasFocus } from '@sheaf/testing';
import type { Locator, Page } from 'playwright-core';
import { app, at, checked, draft, form, formId, formWith, saving, shortText, version } from './answers/form';
import { byAda, listOf, sessionOf, signedIn, then } from './answers/people';
import { fits } from './support/fits';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import { lost, refused, type Answers } from './support/recorded-server';

const open = onScreens();
const put = `PUT ${app}/draft`;
const rows = (page: Page) => page.getByRole('grid', { name: 'Fields and elements of the form' }).getByRole('row');
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();
const question = (page: Page) => page.getByRole('textbox', { name: 'Question' });
const hasValue = (control: Locator, value: string) => eventually(async () => expect(await control.inputValue()).toBe(value));
const lastSent = ({ server }: Screen) =>
  (server.sent(put).at(-1) ?? {}) as { fields: { label?: string; key?: string }[]; revision: number };
const sends = (screen: Screen, expected: object) => eventually(() => expect(lastSent(screen)).toMatchObject(expected));
const name = shortText('name', 'Name');
const town = shortText('town', 'Town');
const conflict = refused(409, 'conflict', 'revision: the draft has changed in the meantime; read it again and reapply your changes');
const firstVersion = checked([{ kind: 'added', key: 'name', to: name, to_position: 1 }]);

onScreen('fields are added, moved, deleted and brought back by keyboard alone', async () => {
  const screen = await open(at('build'), { ...formWith([], { current_version: 0 }), ...saving });
  const { page } = screen;
  await page.getByText('What would you like to ask?').waitFor();
  const add = async (typed: string, label: string) => {
    await page.getByRole('button', { name: 'Add field' }).focus();
    await page.keyboard.press('Enter');
    await hasFocus(page.getByRole('searchbox', { name: 'Find a type of field' }));
    await page.keyboard.type(typed);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // The label has the focus, and what is typed takes its place.
    await hasFocus(question(page));
    await page.keyboard.type(label);
  };
  await add('short', 'Your name');
  await add('dropdown', 'Favourite colour');
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Red');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Blue');
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('textbox', { name: 'Option 3' }));
  await page.keyboard.type('Green');
  const options = ['Red', 'Blue', 'Green'].map((value) => ({ value, label: value }));
  await sends(screen, {
    fields: [
      { key: 'your_name', label: 'Your name', type: 'short_text' },
      { key: 'favourite_colour', type: 'select', options },
    ],
  });
  await saved(page);
  expect(await screen.accessibilityFaults()).toEqual([]);

  await rows(page).last().focus();
  await page.keyboard.press('Alt+ArrowUp');
  const first = (text: string) => eventually(async () => expect(await rows(page).first().textContent()).toContain(text));
  await first('Favourite colour');
  await page.keyboard.press('Control+z');
  await first('Your name');
  const hasRows = (count: number) => eventually(async () => expect(await rows(page).count()).toBe(count));
  await rows(page).last().focus();
  await page.keyboard.press('Delete');
  await hasRows(1);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await hasRows(2);
});

onScreen('the answer to an earlier question is inserted into a text by the keyboard', async () => {
  const screen = await open(at('build'), { ...formWith([name, town]), ...saving });
  const { page } = screen;
  await rows(page).last().click();
  await question(page).fill('Where does  live?');
  await question(page).press('Home');
  for (let at = 0; at < 'Where does '.length; at += 1) await question(page).press('ArrowRight');
  await page.getByRole('button', { name: 'Insert answer: Question' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Name' }).waitFor();
  await page.keyboard.press('Enter');
  await hasValue(question(page), 'Where does {{name}} live?');
  await sends(screen, { fields: [{ key: 'name' }, { label: 'Where does {{name}} live?' }] });
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('publishing shows beforehand what changes and how many submissions are affected', async () => {
  const screen = await open(at('build'), {
    ...formWith([shortText('name', 'Your full name')], { unpublished_changes: true }),
    ...saving,
    [`POST ${app}/publish-check`]: checked(
      [
        {
          kind: 'changed',
          key: 'name',
          from: name,
          to: shortText('name', 'Your full name'),
          from_position: 1,
          to_position: 1,
          changed_properties: ['label'],
        },
        { kind: 'removed', key: 'town', from: town, from_position: 2 },
      ],
      [publishWarning('field_removed', { key: 'town', version: 1 })],
      { affected: [{ key: 'town', submissions: 1 }] },
    ),
  });
  const { page, server } = screen;
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await publish.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 submission with an answer to “Town”.').waitFor();
  expect(await dialog.getByRole('list', { name: 'Changes' }).textContent()).toMatch(/Your full name.*Name.*Town/s);
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(publish);
  expect(server.asked(`POST ${app}/draft/publish`)).toEqual([]);
});

describe('the effects of publishing on answers and on those who read other languages', () => {
  const options = (...values: string[]) => values.map((value) => ({ value, label: value.toUpperCase() }));
  const stars = { key: 'stars', label: 'Stars', required: false };
  const colour = { key: 'colour', label: 'Colour', type: 'select', required: false };
  const pair = { from_position: 1, to_position: 1 };
  const answer = checked(
    [
      {
        kind: 'retyped',
        key: 'stars',
        from: { ...stars, type: 'rating' },
        to: { ...stars, type: 'short_text' },
        changed_properties: ['type'],
        ...pair,
      },
      {
        kind: 'changed',
        key: 'colour',
        from: { ...colour, options: options('red', 'blue', 'green') },
        to: { ...colour, options: options('green') },
        changed_properties: ['options'],
        ...pair,
      },
    ],
    [
      publishWarning('untranslated', { language: 'fr', texts: 7, missing: 3 }),
      publishWarning('field_retyped', { key: 'stars', version: 1, from: 'rating', to: 'short_text' }),
      publishWarning('options_removed', { key: 'colour', version: 1, options: 2 }),
    ],
    {
      affected: [{ key: 'stars', submissions: 4 }],
      affected_options: [{ key: 'colour', options: ['red', 'blue'], submissions_at_least: 1_200 }],
    },
  );
  const answers: Answers = { ...formWith([name], { unpublished_changes: true }), [`POST ${app}/publish-check`]: answer };

  onScreen('is said with numbers and labels', async () => {
    const screen = await open(at('build'), answers);
    await screen.page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = screen.page.getByRole('dialog');
    for (const text of [
      'Français: 3 of 7 texts have no translation. People see them in another language.',
      '4 submissions with an answer to “Stars” as “Rating”. The answers stay as they are. New submissions answer it as “Short text”.',
      'at least 1,200 submissions with the choice of “RED” or “BLUE” for “Colour”. The answers stay readable.',
    ])
      await dialog.getByText(text).waitFor();
    expect(await dialog.getByText('no such answer').count()).toBe(0);
    expect(await screen.accessibilityFaults()).toEqual([]);
  });

  onScreen('is said in German', async () => {
    const { page } = await open(at('build'), answers, { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Veröffentlichen', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Français: 3 von 7 Texten sind nicht übersetzt.').waitFor();
    await dialog.getByText('mindestens 1.200 Einsendungen mit der Auswahl „RED“ oder „BLUE“ bei „Colour“.').waitFor();
  });

  onScreen('is said in the words of an earlier version of the services, which has no codes', async () => {
    const earlier = { ...answer, warning_details: [], affected_options: [] };
    const { page } = await open(at('build'), { ...answers, [`POST ${app}/publish-check`]: earlier });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByText('The field "stars" had type rating in version 1 and now has type short_text.').waitFor();
  });
});

onScreen('what somebody else saves while the consequences are read is not published unseen', async () => {
  const screen = await open(at('build'), {
    ...formWith([name], { current_version: 0, unpublished_changes: true }),
    [`POST ${app}/publish-check`]: firstVersion,
  });
  const { page, server } = screen;
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This is the first version.').waitFor();
  const salary = shortText('salary', 'Your salary');
  server.set({
    [`GET ${app}/draft`]: draft([name, salary], 2),
    [`POST ${app}/draft/publish`]: conflict,
    [`POST ${app}/publish-check`]: {
      ...firstVersion,
      changes: [...firstVersion.changes, { kind: 'added', key: 'salary', to: salary, to_position: 2 }],
    },
  });
  await dialog.getByRole('button', { name: 'Publish version 1' }).click();
  await dialog.getByText('Somebody else has changed the draft meanwhile.').waitFor();
  await dialog.getByText('Your salary').first().waitFor();
  server.set({ [`POST ${app}/draft/publish`]: { warnings: [], version: 1, published_at: then } });
  await dialog.getByRole('button', { name: 'Publish version 1' }).click();
  await page.getByText('Version 1 is live').waitFor();
  expect(server.sent(`POST ${app}/draft/publish`)).toEqual([{ revision: 1 }, { revision: 2 }]);
  screen.problems.take();
});

onScreen('unpublished changes are discarded after a question, with a way back', async () => {
  const changes = [
    {
      kind: 'changed',
      key: 'name',
      from: name,
      to: shortText('name', 'Your full name'),
      from_position: 1,
      to_position: 1,
      changed_properties: ['label'],
    },
  ];
  const screen = await open(at('versions'), {
    ...formWith([name], { unpublished_changes: true }),
    [`GET ${app}/draft`]: draft([shortText('name', 'Your full name')], 2),
    [`POST ${app}/publish-check`]: checked(changes),
  });
  const { page, server } = screen;
  await page.getByRole('button', { name: 'Discard unpublished changes' }).click();
  await page.getByRole('dialog').getByText('Your full name').first().waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set({ [`POST ${app}/draft/discard`]: draft([name], 3), [`GET ${app}/draft`]: draft([name], 3), ...saving });
  await page.getByRole('dialog').getByRole('button', { name: 'Discard unpublished changes' }).click();
  await page.getByText('Unpublished changes are discarded').waitFor();
  await eventually(() => expect(server.sent(`POST ${app}/draft/discard`)).toEqual([{ revision: 2 }]));
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('The draft is as it was').waitFor();
  expect(lastSent(screen)).toMatchObject({ fields: [{ label: 'Your full name' }], revision: 3 });
});

onScreen('two versions are compared, and the earlier one is restored, in the dark', async () => {
  const changes = (from: object, to: object) => [
    { kind: 'changed', key: 'name', from, to, from_position: 1, to_position: 1, changed_properties: ['label', 'required'] },
  ];
  const earlier = shortText('name', 'Your name');
  const later = shortText('name', 'Name', { required: true });
  const screen = await open(
    at('versions'),
    {
      ...formWith([later], { current_version: 2 }),
      [`GET ${app}/versions`]: listOf([2, 1].map((number) => ({ version: number, published_at: then, published_by: byAda }))),
      [`GET ${app}/versions/1`]: version(1, [earlier]),
      [`GET ${app}/versions/2`]: version(2, [later]),
      [`POST ${app}/publish-check`]: checked([]),
      [`GET ${app}/versions/1/diff/2`]: { from: 1, to: 2, changes: changes(earlier, later) },
      [`GET ${app}/versions/2/diff/1`]: { from: 2, to: 1, changes: changes(later, earlier) },
    },
    { dark: true },
  );
  const { page, server } = screen;
  const list = page.getByRole('list', { name: 'Changes' });
  await eventually(async () => expect(await list.textContent()).toMatch(/Label.*Your name.*Name.*Required.*No.*Yes/s));
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByText('There are no unpublished changes that could get lost.').waitFor();
  server.set({ [`POST ${app}/draft/restore`]: draft([earlier], 2) });
  await page.getByRole('dialog').getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByText('Version 1 is in the draft').waitFor();
  await eventually(() => expect(server.sent(`POST ${app}/draft/restore`)).toEqual([{ version: 1, revision: 1 }]));
});

onScreen('what somebody else saves appears without a reload, and for what clashes one chooses', async () => {
  const screen = await open(`${at('build')}?item=name`, { ...formWith([name, town]), ...saving });
  const { page, server } = screen;
  await hasValue(question(page), 'Name');
  const city = shortText('town', 'City');
  server.set({ [`GET ${app}/draft`]: draft([name, city], 2) });
  server.change({ kind: 'draft', action: 'saved', form_id: formId });
  await page.getByText('Somebody else changed 1 thing here:').waitFor();
  await rows(page).getByText('City').waitFor();

  // Both change the same label before either hears of the other.
  server.set({ [`GET ${app}/draft`]: draft([shortText('name', 'Full name'), city], 3), [put]: conflict });
  await question(page).fill('Your name');
  const dialog = page.getByRole('dialog', { name: 'You both changed the same' });
  await dialog.waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set(saving);
  await dialog.getByRole('radio', { name: 'Theirs' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Keep what I chose' }).click();
  await saved(page);
  await rows(page).getByText('Full name').waitFor();
  expect(screen.problems.take()).toContainEqual(expect.stringMatching(/^409: /));
});

onScreen('a save whose answer is lost is sent again, and is no change of somebody else', async () => {
  const screen = await open(`${at('build')}?item=name`, formWith([name]));
  const { page, server } = screen;
  await hasValue(question(page), 'Name');
  let stored = draft([name]);
  server.set({
    [`GET ${app}/draft`]: () => stored,
    [put]: ({ body }: { body: { fields: unknown[]; revision: number } }) => {
      if (body.revision !== stored.revision) return conflict;
      const isFirst = stored.revision === 1;
      stored = draft(body.fields, stored.revision + 1);
      return isFirst ? lost : stored;
    },
  });
  await question(page).fill('Your name');
  await eventually(() => expect(stored.revision).toBe(2));
  await question(page).fill('Your full name');
  await eventually(() => expect(stored).toMatchObject({ fields: [{ label: 'Your full name' }] }));
  await saved(page);
  expect(await page.getByText(/Somebody else changed/).count()).toBe(0);
  screen.problems.take();
});

onScreen('a session that ends in the middle of a save loses nothing', async () => {
  const screen = await open(`${at('build')}?item=name`, formWith([name]));
  const { page, server } = screen;
  await hasValue(question(page), 'Name');
  const signedOut = refused(401, 'authentication_required', 'Sign in.');
  server.set({ [put]: signedOut, 'GET /app/v1/sessions/current': signedOut });
  await question(page).fill('Name again');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill('a good long password');
  server.set({ ...signedIn('owner'), 'POST /app/v1/sessions': sessionOf('owner'), ...saving });
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await sends(screen, { fields: [{ label: 'Name again' }] });
  await saved(page);
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^401: /);
});

onScreen('faults are shown at the field that they are about, and are gone once corrected', async () => {
  const screen = await open(`${at('build')}?item=name`, { ...formWith([name, shortText('code', 'Code')]), ...saving });
  const { page, server } = screen;
  await hasValue(question(page), 'Name');
  await question(page).fill(' ');
  await page.getByText('Enter a text.').waitFor();
  await page.getByText('Not saved: 1 thing to correct').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await question(page).fill('Your name');
  await saved(page);

  // Only the server knows which patterns it takes.
  await rows(page).last().click();
  await hasValue(question(page), 'Code');
  const message = 'must be a regular expression in RE2 syntax (missing closing ))';
  server.set({ [put]: refused(400, 'bad_request', `fields.1.pattern: ${message}`, [{ key: 'fields.1.pattern', message }]) });
  await page.getByRole('textbox', { name: 'Pattern' }).fill('(');
  await page.getByText(/must be a regular expression/).waitFor();
  expect(screen.problems.take()).toEqual([expect.stringMatching(/^400: .*\/draft$/)]);
  server.set(saving);
  await page.getByRole('textbox', { name: 'Pattern', exact: true }).fill('[A-Z]+');
  await saved(page);
  await sends(screen, { fields: [{}, { pattern: '[A-Z]+' }] });
});

const age = { key: 'age', label: 'Your age', type: 'integer', required: false };

onScreen('conditions are joined in groups by keyboard, and read as a sentence', async () => {
  const fields = [name, town, age, shortText('why', 'Why', { visible_if: { key: 'age', gte: 18 } })];
  const screen = await open(`${at('build')}?item=why`, { ...formWith(fields), ...saving }, { height: 1_900 });
  const { page } = screen;
  const choose = async (within: Locator, control: string, option: string) => {
    await within
      .getByRole('button', { name: new RegExp(`${control}$`) })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: option, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  const sentIf = (visible_if: object) => sends(screen, { fields: [{}, {}, {}, { visible_if }] });
  const condition = (place: string) => page.getByRole('group', { name: `Condition ${place}`, exact: true });
  const press = async (button: Locator) => {
    await button.focus();
    await page.keyboard.press('Enter');
  };

  await press(page.getByRole('button', { name: 'Add group' }));
  const first = condition('2.1');
  await hasFocus(page.getByRole('group', { name: 'Group 2', exact: true }).getByRole('button', { name: 'at least one of these holds' }));
  await choose(first, 'Field', 'Town');
  await choose(first, 'Condition', 'contains');
  await first.getByRole('textbox', { name: 'Value' }).fill('Wien');
  const group = page.getByRole('group', { name: 'Group 2', exact: true });
  await press(group.getByRole('button', { name: 'Add condition' }));
  const second = condition('2.2');
  await hasFocus(second.getByRole('button', { name: 'Field' }));
  await choose(second, 'Field', 'Town');
  await choose(second, 'Condition', 'is not');
  await second.getByText('Compare with another answer').click();
  await page.getByText('“Your age” is at least 18 and (“Town” contains Wien or “Town” is not “Name”)').waitFor();
  const inner = [
    { key: 'town', contains: 'Wien' },
    { key: 'town', not_equals: { key: 'name' } },
  ];
  await sentIf({ all: [{ key: 'age', gte: 18 }, { any: inner }] });
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('joined condition');

  await choose(group, 'This holds if', 'none of these holds');
  await sentIf({ all: [{ key: 'age', gte: 18 }, { not: { any: inner } }] });
  await press(page.getByRole('button', { name: 'Remove Condition 2.1' }));
  await hasFocus(group.getByRole('button', { name: 'Add condition' }));
  await press(page.getByRole('button', { name: 'Remove Condition 1', exact: true }));
  await sentIf({ not: { key: 'town', not_equals: { key: 'name' } } });
});

onScreen('a field is required only under a condition, which goes when it is not required any more', async () => {
  const fields = [name, age, shortText('guardian', 'Guardian')];
  const screen = await open(`${at('build')}?item=guardian`, { ...formWith(fields), ...saving }, { height: 1_400 });
  const { page } = screen;
  const required = page.getByText('Required', { exact: true });
  await required.click();
  await page.getByText('Required only if a condition holds').click();
  await page.getByRole('button', { name: /Condition$/ }).click();
  await page.getByRole('option', { name: 'is less than' }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('18');
  await page.keyboard.press('Tab');
  await sends(screen, { fields: [{}, {}, { required: true, required_if: { key: 'age', lt: 18 } }] });
  expect(await screen.accessibilityFaults()).toEqual([]);
  await required.click();
  await eventually(() => expect(lastSent(screen).fields[2]).toEqual({ ...fields[2], required: false }));
});

const days = ['starts', 'ends'].map((key) => ({ key, label: key === 'starts' ? 'Starts' : 'Ends', type: 'date', required: true }));
const before = { key: 'ends', lt: { key: 'starts' } };

onScreen('a check refuses answers that do not go together, with a message at a question', async () => {
  const screen = await open(at('build'), { ...formWith(days), ...saving }, { height: 1_100 });
  const { page } = screen;
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('menuitem', { name: /^Check/ }).click();
  const message = page.getByRole('textbox', { name: 'Message' });
  await hasFocus(message);
  await message.fill('The end is before the start.');
  await page.getByRole('button', { name: /Condition$/ }).click();
  await page.getByRole('option', { name: 'is before', exact: true }).click();
  await page.getByText('Compare with another answer').click();
  await page.getByText('Refuse answers when “Ends” is before “Starts”').waitFor();
  await sends(screen, { fields: [...days, { type: 'check', if: before, message: 'The end is before the start.', at: 'ends' }] });
  await page.getByRole('button', { name: /Show the message at$/ }).click();
  await page.getByRole('option', { name: 'Starts' }).click();
  await sends(screen, { fields: [{}, {}, { at: 'starts' }] });
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('check');

  await message.fill(' ');
  await page.getByText('Enter a text.').waitFor();
});

onScreen('a check is offered once there is a question, and says what it lost', async () => {
  const { page } = await open(at('build'), { ...formWith([]), ...saving });
  await page.getByRole('button', { name: 'Add field' }).first().click();
  expect(await page.getByRole('menuitem', { name: /^Check/ }).getAttribute('aria-disabled')).toBe('true');

  const check = { type: 'check', if: before, message: 'النهاية قبل البداية', at: 'gone' };
  const { page: second } = await open(`${at('build')}?item=check-2`, { ...formWith([days[1], check]), ...saving });
  await second.getByText('The field of the condition must stand before this one.').waitFor();
  await second.getByText('Choose a field before this check that people see.').waitFor();
});

onScreen('a check fits on a phone in German, in the dark, and from right to left', async () => {
  const check = { type: 'check', if: before, message: 'Das Ende liegt vor dem Anfang der Donaudampfschifffahrtsgesellschaft.', at: 'ends' };
  const screen = await open(
    `${at('build')}?item=check-3`,
    { ...formWith([...days, check]), ...saving },
    { dark: true, width: 320, height: 1_300, locale: 'de-DE' },
  );
  await screen.page.getByText('Antworten zurückweisen, wenn').first().waitFor();
  await fits(screen, 'de');
  await screen.screenshot('check');
  await screen.page.evaluate("document.documentElement.dir = 'rtl'");
  await screen.screenshot('check from right to left');
});

onScreen('an ending takes the place of the thank-you under a condition', async () => {
  const screen = await open(at('build'), { ...formWith(days), ...saving }, { height: 1_300 });
  const { page } = screen;
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('menuitem', { name: /^Ending/ }).click();
  const title = page.getByRole('textbox', { name: 'Title', exact: true });
  await hasFocus(title);
  await title.fill('See you there');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Bring a **towel**.');
  await page.getByRole('textbox', { name: 'Web page to go to' }).fill('https://example.org/map');
  await page.getByText('Show this ending when “Ends”').first().waitFor();
  const ending = {
    type: 'ending',
    name: 'see_you_there',
    title: 'See you there',
    text: 'Bring a **towel**.',
    redirect_url: 'https://example.org/map',
  };
  await sends(screen, { fields: [...days, ending] });
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('ending');
});

onScreen('an ending says which field it lost, on a phone in German, in the dark, and from right to left', async () => {
  const ending = { type: 'ending', name: 'end', if: { key: 'gone', equals: 'x' }, title: 'إلى اللقاء', text: 'Bis bald.' };
  const screen = await open(
    `${at('build')}?item=ending-3`,
    { ...formWith([...days, ending]), ...saving },
    { dark: true, width: 320, height: 1_500, locale: 'de-DE' },
  );
  await screen.page.getByText('Das Feld der Bedingung muss vor diesem stehen.').waitFor();
  await fits(screen, 'de');
  await screen.screenshot('ending');
  await screen.page.evaluate("document.documentElement.dir = 'rtl'");
  await screen.screenshot('ending from right to left');
});

onScreen('an option is offered only under a condition, and the next one under the same', async () => {
  const on = (...values: string[]) => ({ options: values.map((value) => ({ value, label: value })) });
  const fields = [
    { ...shortText('region', 'Region'), type: 'select', ...on('Styria', 'Tyrol') },
    { ...shortText('city', 'City'), type: 'select', ...on('Graz', 'Leoben', 'Innsbruck') },
  ];
  const screen = await open(`${at('build')}?item=city`, { ...formWith(fields), ...saving }, { height: 1_600 });
  const { page } = screen;
  await page.getByText('Show this option only if a condition holds').click();
  const visible_if = { key: 'region', equals: 'Styria' };
  await sends(screen, { fields: [{}, { options: [{ value: 'Graz', visible_if }, {}, {}] }] });
  await page.getByRole('button', { name: 'The same for “Leoben”' }).click();
  await sends(screen, { fields: [{}, { options: [{ visible_if }, { value: 'Leoben', visible_if }, {}] }] });
  expect(await screen.accessibilityFaults()).toEqual([]);

  // The option stays chosen while its text changes, and the last one has no next one.
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Bruck');
  await page.getByRole('textbox', { name: 'Option 2' }).blur();
  await page.getByRole('button', { name: /Bruck.*Option$/ }).waitFor();
  await page.getByRole('button', { name: 'The same for “Innsbruck”' }).click();
  await hasFocus(page.getByRole('button', { name: /Innsbruck.*Option$/ }));
  await sends(screen, { fields: [{}, { options: [{ visible_if }, { label: 'Bruck', visible_if }, { visible_if }] }] });
});

onScreen('an option whose condition asks for a field that is gone is chosen first, and says so, until it has none', async () => {
  const visible_if = { key: 'gone', equals: 'x' };
  const options = [
    { value: 'Graz', label: 'Graz' },
    { value: 'Linz', label: 'Linz', visible_if },
  ];
  const city = { ...shortText('city', 'City'), type: 'select', options };
  const screen = await open(
    `${at('build')}?item=city`,
    { ...formWith([shortText('region', 'Region'), city]), ...saving },
    { height: 1_600 },
  );
  const conditions = screen.page.getByRole('group', { name: 'Conditions of options' });
  await conditions.getByRole('button', { name: /Linz.*Option$/ }).waitFor();
  const fault = conditions.getByText('The field of the condition must stand before this one.');
  await fault.first().waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.page.getByText('Show this option only if a condition holds').click();
  await fault.first().waitFor({ state: 'detached' });
  await sends(screen, { fields: [{}, { options: [options[0], { value: 'Linz', label: 'Linz' }] }] });
});

onScreen('text that is held back stays where a condition of an option changes below', async () => {
  const on = (...values: string[]) => ({ options: values.map((value) => ({ value, label: value })) });
  const city = { ...shortText('city', 'City'), type: 'select', ...on('Graz', 'Linz') };
  const { page } = await open(
    `${at('build')}?item=city`,
    { ...formWith([shortText('region', 'Region'), city]), ...saving },
    { height: 1_600 },
  );
  await page.getByText('One per line').click();
  const text = page.getByRole('textbox', { name: 'Options' });
  await text.fill('Graz\nGraz');
  await page.getByText('Show this option only if a condition holds').click();
  await page
    .getByRole('group', { name: 'Conditions of options' })
    .getByRole('button', { name: /Field$/ })
    .waitFor();
  await hasValue(text, 'Graz\nGraz');
});

onScreen('conditions are joined only in ways for which there is room', async () => {
  const over = (value: number) => ({ key: 'age', gt: value });
  const deepest = { any: [{ all: [{ any: [{ all: [{ any: [over(1), over(2)] }] }] }] }, over(3)] };
  const { page } = await open(
    `${at('build')}?item=why`,
    { ...formWith([age, shortText('why', 'Why', { visible_if: deepest })]), ...saving },
    { height: 1_900 },
  );
  await page
    .getByRole('group', { name: 'Group 1.1.1.1', exact: true })
    .getByRole('button', { name: /This holds if/ })
    .click();
  expect(await page.getByRole('option').allTextContents()).toEqual(['all of these hold', 'at least one of these holds']);
});

onScreen('joined conditions fit on a phone in German, in the dark, with names from right to left', async () => {
  const arabic = shortText('town', 'ما اسم مدينتك؟');
  const inner = {
    any: [
      { key: 'town', contains: 'Wien' },
      {
        not: {
          any: [
            { key: 'start', gte: '2026-01-31' },
            { key: 'town', equals: { key: 'name' } },
          ],
        },
      },
    ],
  };
  const start = { key: 'start', label: 'Anfang der langen Donaudampfschifffahrtsgesellschaft', type: 'date', required: false };
  const fields = [name, arabic, start, shortText('why', 'Why', { visible_if: { all: [{ key: 'gone', answered: true }, inner] } })];
  const screen = await open(
    `${at('build')}?item=why`,
    { ...formWith(fields), ...saving },
    { dark: true, width: 320, height: 2_400, locale: 'de-DE' },
  );
  await screen.page.getByText('Das Feld der Bedingung muss vor diesem stehen.').first().waitFor();
  await fits(screen, 'de');
  await screen.screenshot('joined condition');
  await screen.page.evaluate("document.documentElement.dir = 'rtl'");
  await screen.screenshot('joined condition from right to left');
});

onScreen('of 200 fields only the rows in sight are there, and they move by buttons and by keyboard dragging', async () => {
  const fields = Array.from({ length: 200 }, (_, index) => shortText(`q${index}`, `Question ${index}`));
  const screen = await open(`${at('build')}?item=q100`, { ...formWith(fields), ...saving });
  const { page } = screen;
  const labels = () => lastSent(screen).fields.map(({ label }) => label);
  await hasValue(question(page), 'Question 100');
  await page.getByRole('row', { name: /^Question 100/ }).waitFor();
  expect(await rows(page).count()).toBeLessThan(100);
  await page.getByRole('button', { name: 'Move up' }).click();
  await eventually(() => expect(labels()[99]).toBe('Question 100'));

  // From the row to its handle, which starts; arrows go from place to place; Enter drops.
  await page.getByRole('row', { name: /^Question 99/ }).focus();
  await page.keyboard.press('Home');
  const first = page.getByRole('row', { name: /^Question 0/ });
  await hasFocus(first);
  await page.keyboard.press('ArrowRight');
  await hasFocus(first.getByRole('button').first());
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('button', { name: /^Insert / }));
  const from = await page.locator(':focus').getAttribute('aria-label');
  await page.keyboard.press('ArrowDown');
  await eventually(async () => expect(await page.locator(':focus').getAttribute('aria-label')).not.toBe(from));
  await page.keyboard.press('Enter');
  await eventually(() => expect(labels().slice(0, 2)).not.toEqual(['Question 0', 'Question 1']));
});

onScreen('labels with markup and from right to left are texts, everywhere, also on a phone and in the dark', async () => {
  const hostile = '<img src=x onerror="alert(1)"> & <b>bold</b>';
  const fields = [
    shortText('name', hostile),
    shortText('town', 'ما اسم مدينتك؟', { translations: { de: { label: 'Stadt' } } }),
    {
      key: 'colour',
      label: '👩🏽‍🚀'.repeat(30),
      type: 'select',
      required: false,
      options: [hostile, 'לבן'].map((value) => ({ value, label: value })),
    },
  ];
  const more = { title: hostile, description: hostile, languages: ['ar', 'de'], default_language: 'ar', current_version: 0 };
  const screen = await open(at('build'), { ...formWith(fields, more), ...saving }, { dark: true, width: 320, height: 700 });
  const { page, server } = screen;
  await rows(page).last().click();
  await page.getByRole('textbox', { name: 'Option 1' }).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);

  await screen.open(`${at('build')}?view=preview&lang=ar&width=phone&look=dark`);
  const frame = page.frameLocator('iframe');
  await frame.getByText(hostile).first().waitFor();
  await frame.locator('html[dir=rtl]').waitFor();
  expect(await page.locator('img, b').count()).toBe(0);

  await screen.open(`${at('build')}?view=translations&missing=1`);
  await page.getByText('6 of 7 texts have no translation.').waitFor();
  server.set({
    [`PATCH ${app}`]: form({ ...more, translations: { de: { title: 'Besuch' } } }),
    [`GET ${app}`]: form({ ...more, translations: { de: { title: 'Besuch' } } }),
  });
  const title = page.getByRole('textbox', { name: /^Title in Deutsch/ });
  await title.fill('Besuch');
  await title.blur();
  await page.getByText('5 of 7 texts have no translation.').waitFor();
  await eventually(() => expect(server.sent(`PATCH ${app}`)).toEqual([{ translations: { de: { title: 'Besuch' } } }]));
  await page.getByRole('textbox', { name: /^Option in Deutsch: לבן/ }).fill('Weiß');
  await page.getByRole('switch', { name: 'Only what is missing' }).focus();
  await sends(screen, { fields: [{}, {}, { translations: { de: { options: { לבן: 'Weiß' } } } }] });
});

onScreen('somebody tries a form, and hears what would be refused', async () => {
  const fields = [
    { key: 'visits', label: 'Do you visit us?', type: 'boolean', required: true },
    { key: 'guests', label: 'Guests', type: 'integer', required: false, max: 5, visible_if: { key: 'visits', equals: true } },
    shortText('why', 'Why', { required: true, required_if: { key: 'visits', equals: false } }),
  ];
  const tried = `POST ${app}/draft/try`;
  const faults = [{ key: 'guests', code: 'too_large', params: { max: 5 }, message: 'must be at most 5' }];
  const { page, server } = await open(`${at('build')}?view=preview`, {
    ...formWith(fields),
    [tried]: { valid: false, faults, visible: ['visits', 'guests'] },
  });
  const frame = page.frameLocator('iframe');
  const ofWhy = frame.locator('.item', { hasText: 'Why' }).locator('.optional');
  await frame.getByLabel('No', { exact: true }).check();
  await ofWhy.waitFor({ state: 'hidden' });
  await frame.getByLabel('Yes').check();
  await ofWhy.waitFor();
  await frame.getByLabel('Guests').fill('9');
  await frame.getByRole('button', { name: 'Send' }).click();
  await page.getByText('1 answer would be refused.').waitFor();
  await frame.getByRole('link', { name: /Guests/ }).waitFor();
  server.set({ [tried]: { valid: true, faults: [], visible: ['visits', 'guests'] } });
  await frame.getByLabel('Guests').fill('4');
  await frame.getByRole('button', { name: 'Send' }).click();
  await page.getByText('These answers would be accepted. Nothing was stored.').waitFor();
  await eventually(() =>
    expect(server.sent(tried)).toEqual([{ data: { visits: true, guests: 9 } }, { data: { visits: true, guests: 4 } }]),
  );
});

onScreen('a viewer sees what a form asks, and cannot change it', async () => {
  const answers: Answers = { ...signedIn('viewer'), ...formWith([shortText('name', 'Your name')], {}, 'viewer') };
  const screen = await open(at('build'), answers);
  const { page, server } = screen;
  await page.getByText('You can look at this form, but not change it.').waitFor();
  await page.getByText('Your name').waitFor();
  expect(await page.getByRole('button', { name: /Publish|Add field/ }).count()).toBe(0);
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set({ [`GET ${app}`]: form({ current_version: 0 }, 'viewer') });
  await screen.open(at('build'));
  await page.getByText('This form was never published.').waitFor();
});

onScreen('a form that publishes automatically says so, in German', async () => {
  const auto = { publish_mode: 'auto', current_version: 1 };
  const { page } = await open(`${at('build')}?item=name`, { ...formWith([name], auto), ...saving }, { locale: 'de-DE' });
  await page.getByText('Veröffentlicht automatisch').waitFor();
  await page.getByRole('textbox', { name: 'Frage' }).fill('Ihr Name');
  await page.getByText('Gespeichert und veröffentlicht').waitFor();
});

onScreen('on a wide screen the page is beside its list, follows what is typed, and shows what is worked on', async () => {
  const second = { type: 'page', label: 'Where you live' };
  const screen = await open(at('build'), { ...formWith([name, second, town], { current_version: 0 }), ...saving }, { width: 1_600 });
  const { page } = screen;
  const beside = page.getByRole('region', { name: 'Preview of the form' });
  const frame = page.frameLocator('iframe');
  await frame.getByRole('textbox', { name: 'Name' }).waitFor();

  await rows(page).first().click();
  await frame.locator('[data-spot]').getByText('Name').waitFor();
  await question(page).fill('Full name');
  await frame.getByText('Full name').waitFor();
  // Nothing is taken from whoever types.
  await hasFocus(question(page));
  await rows(page).last().click();
  await frame.getByRole('heading', { name: 'Where you live' }).waitFor();
  await frame.locator('[data-spot]').getByText('Town').waitFor();
  await frame.getByRole('button', { name: 'Back' }).click();
  await frame.getByText('Full name').waitFor();
  await rows(page).first().click();
  await question(page).fill('Whole name');
  await frame.getByText('Whole name').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);

  await page.setViewportSize({ width: 1_024, height: 768 });
  await beside.waitFor({ state: 'detached' });
});

onScreen('pictures of options are chosen, pasted, told when they are none, and removed; the draft names them', async () => {
  const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const png = { name: 'red.png', mimeType: 'image/png', buffer: Buffer.from(bytes, 'base64') };
  const [red, blue] = ['1', '2'].map((digit) => digit.repeat(64));
  const picture = `data:image/png;base64,${bytes}`;
  const options = ['Red', 'Blue'].map((label) => ({ value: label, label }));
  let added = 0;
  const screen = await open(`${at('build')}?item=field-0`, {
    ...formWith([{ key: 'colour', label: 'Colour', type: 'select', required: false, options }]),
    ...saving,
    [`POST ${app}/pictures`]: () => ({ id: (added += 1) === 1 ? red : blue, picture }),
  });
  const { page } = screen;
  await rows(page).first().click();
  await page.getByRole('checkbox', { name: 'Pictures' }).setChecked(true, { force: true });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add a picture to option 1' }).click();
  await (await chooser).setFiles(png);
  await page.getByRole('textbox', { name: 'Text of the picture of option 1' }).fill('A red cup');
  await sends(screen, { fields: [{ options: [{ value: 'Red', image: { picture: red, alt: 'A red cup' } }, { value: 'Blue' }] }] });

  await page.getByRole('button', { name: 'Add a picture to option 2' }).focus();
  await page.evaluate(`(() => {
    const files = new DataTransfer();
    files.items.add(new File([Uint8Array.from(atob('${bytes}'), (each) => each.charCodeAt(0))], 'blue.png', { type: 'image/png' }));
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true }));
  })()`);
  await sends(screen, { fields: [{ options: [{ image: { picture: red } }, { image: { picture: blue } }] }] });
  expect(screen.server.sent(`POST ${app}/pictures`)).toEqual([{ picture }, { picture }]);
  expect(await screen.accessibilityFaults()).toEqual([]);

  const again = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Replace the picture of option 2' }).click();
  await (await again).setFiles({ ...png, buffer: Buffer.from('no picture') });
  await page.getByRole('alert').getByText('The file is not a picture that can be shown').waitFor();
  await page.getByRole('button', { name: 'Remove the picture of option 2' }).click();
  await sends(screen, { fields: [{ options: [{ image: { picture: red } }, { value: 'Blue', label: 'Blue' }] }] });
  await page.getByRole('checkbox', { name: 'Pictures' }).setChecked(false, { force: true });
  await sends(screen, { fields: [{ options }] });
  await saved(page);
});

onScreen(
  'a picture is that of the option for which it was chosen, also of a blank one that gets its texts while the picture is sent',
  async () => {
    const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const png = { name: 'red.png', mimeType: 'image/png', buffer: Buffer.from(bytes, 'base64') };
    const [first, second] = ['1', '2'].map((digit) => digit.repeat(64));
    let added = 0;
    const screen = await open(`${at('build')}?item=field-0`, {
      ...formWith([{ key: 'colour', label: 'Colour', type: 'select', required: false, options: [{ value: 'Red', label: 'Red' }] }]),
      ...saving,
      [`POST ${app}/pictures`]: () => ({ id: (added += 1) === 1 ? first : second, picture: `data:image/png;base64,${bytes}` }),
    });
    const { page, server } = screen;
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    /** Chooses a picture. @returns a function that lets it arrive */
    const choose = async (name: string) => {
      const release = server.hold(`POST ${app}/pictures`);
      const [chooser, count] = [page.waitForEvent('filechooser'), server.sent(`POST ${app}/pictures`).length];
      await page.getByRole('button', { name }).click();
      await (await chooser).setFiles(png);
      await eventually(() => expect(server.sent(`POST ${app}/pictures`)).toHaveLength(count + 1));
      return release;
    };
    await rows(page).first().click();
    await page.getByRole('checkbox', { name: 'Pictures' }).setChecked(true, { force: true });
    await page.getByRole('button', { name: 'Add option' }).click();
    await page.getByRole('button', { name: 'Add option' }).click();
    const arrives = await choose('Add a picture to option 3');
    await field('Option 2').fill('Green');
    await field('Option 3').fill('Blue');
    arrives();
    const [red, green] = ['Red', 'Green'].map((label) => ({ value: label, label }));
    await sends(screen, { fields: [{ options: [red, green, { value: 'Blue', image: { picture: first } }] }] });

    const arrivesAgain = await choose('Replace the picture of option 3');
    await field('Text of the picture of option 3').fill('A blue cup');
    arrivesAgain();
    await sends(screen, { fields: [{ options: [red, green, { value: 'Blue', image: { picture: second, alt: 'A blue cup' } }] }] });
    expect(await page.getByRole('button', { name: /^Add a picture/ }).count()).toBe(2);
  },
);

onScreen('a photograph is made small enough as a JPEG where the browser writes no WebP, as Safari', async () => {
  const red = '1'.repeat(64);
  const screen = await open(`${at('build')}?item=field-0`, {
    ...formWith([{ key: 'colour', label: 'Colour', type: 'select', required: false, options: [{ value: 'Red', label: 'Red' }] }]),
    ...saving,
    [`POST ${app}/pictures`]: ({ body }: { body: { picture: string } }) => ({ id: red, picture: body.picture }),
  });
  const { page } = screen;
  await rows(page).first().click();
  await page.getByRole('checkbox', { name: 'Pictures' }).setChecked(true, { force: true });
  await page.getByRole('button', { name: 'Add a picture to option 1' }).focus();
  await page.evaluate(`(async () => {
    const write = HTMLCanvasElement.prototype.toBlob;
    HTMLCanvasElement.prototype.toBlob = function (done, type, quality) {
      return write.call(this, done, type === 'image/webp' ? 'image/png' : type, quality);
    };
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [800, 600];
    const context = canvas.getContext('2d');
    const noise = context.createImageData(800, 600);
    let state = 1;
    for (let at = 0; at < noise.data.length; at += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      noise.data[at] = at % 4 === 3 ? 255 : state >>> 24;
    }
    context.putImageData(noise, 0, 0);
    const photograph = await new Promise((done) => write.call(canvas, done, 'image/png'));
    const files = new DataTransfer();
    files.items.add(new File([photograph], 'photograph.png', { type: 'image/png' }));
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true }));
  })()`);
  await sends(screen, { fields: [{ options: [{ value: 'Red', image: { picture: red } }] }] });
  const [sent] = screen.server.sent(`POST ${app}/pictures`) as { picture: string }[];
  expect(sent?.picture).toMatch(/^data:image\/jpeg;base64,/);
  expect(Buffer.from(sent?.picture.split(',')[1] ?? '', 'base64').length).toBeLessThanOrEqual(16_384);
});

onScreen('what was typed into the page beside the list stays when its form changes, until it is tried again', async () => {
  const colour = {
    key: 'colour',
    type: 'multi_select',
    label: 'Colours',
    required: false,
    options: ['Red', 'Green'].map((value) => ({ value, label: value })),
  };
  const screen = await open(at('build'), { ...formWith([name, colour], { current_version: 0 }), ...saving }, { width: 1_600 });
  const { page } = screen;
  const frame = page.frameLocator('iframe');
  const typed = frame.getByRole('textbox');
  await typed.fill('Ada');
  await frame.getByLabel('Green').check();
  await rows(page).last().click();
  await question(page).fill('Favorite colours');
  await frame.getByText('Favorite colours').waitFor();
  expect(await typed.inputValue()).toBe('Ada');
  expect(await frame.getByLabel('Green').isChecked()).toBe(true);
  expect(await frame.getByLabel('Red').isChecked()).toBe(false);

  await page.getByRole('button', { name: 'Start again' }).click();
  await eventually(async () => expect(await typed.inputValue()).toBe(''));
});
