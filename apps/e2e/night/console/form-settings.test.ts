import { readFile } from 'node:fs/promises';
import { eventually } from '@sheaf/testing';
import { asRespondent, itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';

const button = ({ page }: ConsoleUser, name: string | RegExp) => page.getByRole('button', { name });
const says = ({ page }: ConsoleUser, text: string | RegExp) => page.getByText(text).first().waitFor();

/** An owner with a published form, on its page *Settings*, and every change that the console sends from there on. */
async function atSettings(browser: Parameters<typeof asConsoleOwner>[1] = {}) {
  const owner = await asConsoleOwner(undefined, browser);
  const form = await given.publishedForm({ title: 'Visit survey' }, owner.person);
  const sent: unknown[] = [];
  owner.page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postDataJSON()));
  await owner.open(`/console/forms/${form}/settings`);
  await owner.page.getByRole('heading', { name: 'Title and status' }).waitFor();
  const saved = async () => (await owner.person.get(`/app/v1/forms/${form}`)).body as Record<string, unknown>;
  return { owner, form, sent, saved };
}

describe('an owner of a form', () => {
  itInBrowser('changes its settings, of which only those that changed are sent', async () => {
    const { owner, form, sent, saved } = await atSettings();
    const { page } = owner;
    await page.getByLabel('Title', { exact: true }).fill('Visit of the clinic');
    await page.getByLabel('Description').fill('It takes two minutes.');
    await button(owner, 'Save: Title and status').click();
    await page.getByRole('heading', { level: 1, name: 'Visit of the clinic' }).waitFor();
    await says(owner, /^Saved$/);
    await page.getByText('Check answers before sending').click();
    await button(owner, 'Save: Filling in').click();
    await eventually(async () => expect(await saved()).toMatchObject({ review_before_sending: true }));

    await page.getByLabel('Submissions, in days').fill('90');
    await page.getByLabel('Submissions, in days').blur();
    await says(owner, 'Each submission is erased 90 days after it arrived, wherever it is.');
    await button(owner, 'Save: How long things are kept').click();
    await page.getByRole('dialog', { name: 'Keep things for a shorter time?' }).getByRole('button', { name: 'Shorten retention' }).click();
    await eventually(async () => expect(await saved()).toMatchObject({ retention: { submissions_days: 90 } }));
    expect(sent).toEqual([
      { title: 'Visit of the clinic' },
      { description: 'It takes two minutes.' },
      { review_before_sending: true },
      { retention: { submissions_days: 90 } },
    ]);

    const respondent = await asRespondent();
    await eventually(async () => {
      await respondent.open(`/f/${form}`);
      expect(await respondent.page.locator('main').innerText()).toMatch(/Visit of the clinic[^]*It takes two minutes\./);
    });
  });

  itInBrowser('is told of colors that are hard to read before they are saved', async () => {
    const { owner, sent, saved } = await atSettings();
    const accent = owner.page.getByRole('textbox', { name: 'Accent color', exact: true });
    await accent.fill('#ff9900');
    await says(owner, 'White text on buttons would be hard to read: the contrast is 2.14:1');
    await accent.fill('#7f1d1d');
    await owner.page.getByText('White text on buttons would be hard to read').waitFor({ state: 'detached' });
    await button(owner, 'Save: Look').click();
    await eventually(async () => expect(await saved()).toMatchObject({ theme: { accent: '#7f1d1d' } }));
    expect(sent).toEqual([{ theme: { accent: '#7f1d1d' } }]);
  });

  itInBrowser('exports it, moves it to the trash, and takes that back', async () => {
    const { owner, form, saved } = await atSettings();
    const [download] = await Promise.all([owner.page.waitForEvent('download'), button(owner, 'Export as JSON').click()]);
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({ title: 'Visit survey' });

    await button(owner, 'Move to trash').click();
    await owner.page.waitForURL(/\/console\/forms$/);
    expect((await saved()).status).toBe('trashed');
    await button(owner, 'Undo').click();
    await eventually(async () => expect((await saved()).status).toBe('active'));

    await owner.person.delete(`/api/v1/forms/${form}`);
    await owner.open(`/console/forms/${form}/settings`);
    await button(owner, 'Erase forever').click();
    const dialog = owner.page.getByRole('dialog', { name: 'Erase the form' });
    await dialog.waitFor();
    expect(await owner.accessibilityFaults()).toEqual([]);
    await dialog.getByLabel('Type “Visit survey” to confirm').fill('Visit survey');
    await dialog.getByRole('button', { name: 'Erase forever' }).click();
    await owner.page.waitForURL(/\/console\/forms$/);
    expect((await owner.person.get(`/app/v1/forms/${form}`)).status).toBe(404);
    owner.problems.take();
  });

  itInBrowser.each([
    ['in light mode', {}],
    ['in dark mode, on a narrow screen', { dark: true, width: 320 }],
  ])('can read and use everything %s', async (_how, browser) => {
    const { owner } = await atSettings(browser);
    await owner.page.getByRole('heading', { name: 'Trash', exact: true }).waitFor();
    expect(await owner.accessibilityFaults()).toEqual([]);
    expect(await owner.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await owner.screenshot('console-form-settings');
  });
});

itInBrowser('a viewer reads the settings of a form, and is offered no change', async () => {
  const form = await given.publishedForm({ title: 'Visit survey' });
  const viewer = await asConsoleMember('viewer', `/console/forms/${form}/settings`);
  await says(viewer, 'You can read these settings.');
  expect(await viewer.page.getByLabel('Title', { exact: true }).getAttribute('readonly')).toBe('');
  expect(await viewer.page.getByRole('button', { name: /Save|trash|Move/i }).count()).toBe(0);
  expect(await viewer.page.getByRole('switch', { name: /Legal hold/ }).isDisabled()).toBe(true);
  expect(await viewer.accessibilityFaults()).toEqual([]);
});
