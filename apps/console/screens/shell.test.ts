import { referenceOf } from '@sheaf/contracts';
import { eventually, hasFocus } from '@sheaf/testing';
import { formId, formWith, keepsAll, shortText } from './answers/form';
import { formsPage, listed } from './answers/forms';
import { idOf, pageOf, signedIn } from './answers/people';
import { inbox, submission } from './answers/submissions';
import { onScreen, onScreens } from './support/on-screens';
import { refused } from './support/recorded-server';

const open = onScreens();
const survey = listed(1, 'Quarterly <b>survey</b>');

onScreen('Ctrl K finds a form by its title, Escape brings the focus back, and ? tells the keys', async () => {
  const answers = { ...formWith([shortText('name')], { id: formId, title: survey.title }), 'GET /app/v1/forms': pageOf([survey]) };
  const screen = await open('/console/settings', { ...answers, ...formsPage([survey]), ...inboxOfNone });
  const { page } = screen;
  const settings = page.getByRole('link', { name: 'Settings' });
  await settings.focus();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await hasFocus(palette.getByRole('searchbox'));
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.keyboard.press('Escape');
  await hasFocus(settings);
  await page.keyboard.press('Control+k');
  await hasFocus(palette.getByRole('searchbox'));
  await page.keyboard.type('quarterly');
  await page.getByRole('menuitem', { name: survey.title }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: survey.title }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
});
onScreen('Ctrl K goes to the submission whose reference is pasted', async () => {
  const found = submission(1, { name: 'Ada' });
  const reference = referenceOf(found.id);
  const named = { id: found.id, form_id: formId, reference, status: 'new', created_at: found.created_at };
  const screen = await open('/console/forms', {
    ...formsPage([survey]),
    ...inbox([found]),
    'GET /app/v1/forms': pageOf([]),
    'GET /app/v1/submissions': { data: [named] },
  });
  const { page, server } = screen;
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await hasFocus(palette.getByRole('searchbox'));
  await page.keyboard.insertText(reference.toLowerCase());
  await palette.getByRole('menuitem', { name: reference }).click();
  await page.getByRole('region', { name: 'Submission', exact: true }).getByText('Ada', { exact: true }).waitFor();
  expect(server.asked(`GET /app/v1/submissions?reference=${reference}`)).not.toEqual([]);
});

onScreen('Ctrl K and ? work wherever the focus is but in a text', async () => {
  const screen = await open('/console/forms', { ...formsPage([survey]), ...inboxOfNone });
  const { page } = screen;
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  const works = async (key: string, opened: typeof keys) => {
    await page.keyboard.press(key);
    await opened.waitFor();
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
  };
  await page.getByRole('link', { name: survey.title }).waitFor();
  for (const focused of [
    page.getByRole('button', { name: `Favorite: ${survey.title}` }),
    page.getByRole('button', { name: `Actions for ${survey.title}` }),
    page.getByRole('link', { name: survey.title }),
  ]) {
    await focused.focus();
    await works('?', keys);
    await hasFocus(focused);
    await works('Control+k', palette);
    await hasFocus(focused);
  }
  await page.getByRole('button', { name: `Actions for ${survey.title}` }).click();
  await page.getByRole('menu').waitFor();
  await works('?', keys);
  // The menu is as it was, once it has the focus again.
  await page.locator('[role="menu"]:focus, [role="menu"] :focus').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Search by title').fill('a');
  await page.keyboard.press('?');
  expect(await page.getByLabel('Search by title').inputValue()).toBe('a?');
  expect(await keys.count()).toBe(0);
});

onScreen('? works on a choice and on a switch, which take no text', async () => {
  const screen = await open(`/console/forms/${formId}/settings`, {
    'GET /app/v1/instance/retention': keepsAll,
    ...formWith([shortText('name')]),
    ...formsPage([survey]),
  });
  const { page } = screen;
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const focused of [page.getByRole('radio', { name: /^Active/ }), page.getByRole('switch', { name: /^Legal hold/ })]) {
    await focused.focus();
    await page.keyboard.press('?');
    await keys.waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
  }
});

const inboxOfNone = {
  [`GET /app/v1/forms/${formId}/submissions`]: pageOf([]),
  [`GET /app/v1/forms/${formId}/bulk-changes`]: { data: [] },
  [`GET /app/v1/forms/${formId}/views`]: { data: [] },
};

onScreen('on a phone the way around is behind a button, also in German', async () => {
  const options = { width: 320, locale: 'de-DE', dark: true };
  const screen = await open('/console/settings', signedIn('viewer'), options);
  const { page } = screen;
  await page.getByRole('button', { name: 'Navigation öffnen' }).click();
  await page.getByRole('link', { name: 'Formulare' }).waitFor();
  await eventually(async () =>
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.scrollWidth]')).toEqual(['de', 320]),
  );
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Formulare' }).waitFor({ state: 'hidden' });
});

onScreen('an address that leads nowhere says so', async () => {
  const gone = idOf(99);
  const screen = await open(`/console/forms/${gone}/build`, {
    [`GET /app/v1/forms/${gone}`]: refused(404, 'not_found', 'There is no such form.'),
  });
  await screen.page.getByText('Page not found').waitFor();
  expect(screen.problems.take()).toContainEqual(expect.stringMatching(/^404: /));
});

onScreen('the theme that a person chose stays on this device', async () => {
  const put = 'PUT /app/v1/me/preferences/console.appearance';
  const { page } = await open('/console/settings', {
    [put]: ({ body }: { body: { value: unknown } }) => ({ key: 'console.appearance', value: body.value }),
  });
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await page.getByRole('button', { name: /^Your account/ }).waitFor();
  const light = await background();
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await eventually(async () => expect(await background()).not.toBe(light));
  await page.reload();
  await page.getByRole('link', { name: 'Forms' }).waitFor();
  await eventually(async () => expect(await background()).not.toBe(light));
});
