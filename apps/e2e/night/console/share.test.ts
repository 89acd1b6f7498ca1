import { readFile } from 'node:fs/promises';
import { eventually } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';
import { anyone, asOwner } from '../../support/people';

const settingsOf = async (form: string, person = asOwner) => (await person.get(`/app/v1/forms/${form}`)).body as Record<string, unknown>;
const button = ({ page }: ConsoleUser, name: string | RegExp) => page.getByRole('button', { name });
const says = ({ page }: ConsoleUser, text: string | RegExp) => page.getByText(text).first().waitFor();

/** An owner with a published form, on its page *Share*. */
async function atShare(options: Parameters<typeof given.publishedForm>[0] = {}, browser: Parameters<typeof asConsoleOwner>[1] = {}) {
  const owner = await asConsoleOwner(undefined, browser);
  const form = await given.publishedForm({ title: 'Visit survey', ...options }, owner.person);
  await owner.open(`/console/forms/${form}/share`);
  await owner.page.getByRole('heading', { name: 'After sending' }).waitFor();
  return { owner, form };
}

describe('a person who shares a form', () => {
  itInBrowser('gives it an address of its own, which its link, QR code and embed code follow', async () => {
    const { owner, form } = await atShare();
    const { page } = owner;
    const slug = `visit-${form.slice(-12)}`;
    const field = page.getByLabel('Last part of the link');
    await field.fill('Visit_survey!');
    await button(owner, 'Save: Address').click();
    await says(owner, 'Must be 1 to 64 lower-case letters, digits and inner hyphens.');
    expect(owner.problems.take()).toEqual([expect.stringMatching(/^400: /)]);
    await eventually(async () => expect(await field.inputValue()).toBe('visit-survey!'));

    await field.fill(slug);
    await button(owner, 'Save: Address').click();
    const link = `${anyone.origin}/f/${slug}`;
    await page.getByRole('img', { name: `QR code of ${link}` }).waitFor();
    await eventually(async () => {
      expect(await page.getByRole('link', { name: 'Open the form' }).getAttribute('href')).toBe(link);
      expect(await page.getByRole('region', { name: 'Embed code' }).innerText()).toBe(
        `<script src="${anyone.origin}/embed.js" data-form="${slug}" async></script>`,
      );
    });
    await page.getByText('Show what it looks like').click();
    await page.frameLocator('iframe').getByLabel('Your name').waitFor();
    expect(await owner.accessibilityFaults()).toEqual([]);

    const [download] = await Promise.all([page.waitForEvent('download'), button(owner, 'Download SVG').click()]);
    expect(download.suggestedFilename()).toBe(`${slug}.svg`);
    const svg = await readFile(await download.path(), 'utf8');
    // The corner of the code begins behind four modules of white.
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<path fill="#000" d="M4 4h1v1h-1z/s);
  });

  itInBrowser('decides which sites embed it', async () => {
    const { owner, form } = await atShare();
    const { page } = owner;
    await page.getByText('Only these').click();
    await page.getByLabel('Origins, one per line').fill('https://a.example\nhttps://b.example\n');
    await button(owner, 'Save: Allowed sites').click();
    await eventually(async () =>
      expect(await settingsOf(form, owner.person)).toMatchObject({ embed_origins: ['https://a.example', 'https://b.example'] }),
    );
    await page.getByText('None; the form has its own page only').click();
    await button(owner, 'Save: Allowed sites').click();
    await says(owner, 'so there is no preview');
    await eventually(async () => expect(await settingsOf(form, owner.person)).toMatchObject({ embed_origins: [] }));
  });

  itInBrowser('sets opening times on the clocks of the form’s time zone, and is told why it is closed', async () => {
    const { owner, form } = await atShare();
    const { page } = owner;
    const zone = page.getByLabel('Time zone of the form').first();
    // In sight before its list opens: scrolling closes the list.
    await zone.click();
    await zone.fill('Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByLabel('Opens', { exact: true }).fill('2098-01-02T09:00');
    await page.getByLabel('Message while it is closed').fill('We open in January.');
    await says(owner, /^For you: \d Jan 2098/);
    await button(owner, 'Save: When it is open').click();
    await says(owner, /^It opens on 2 Jan 2098, 0?9:00 \(Asia\/Tokyo\)\.$/);
    expect(await settingsOf(form, owner.person)).toMatchObject({
      opens_at: '2098-01-02T00:00:00.000Z',
      timezone: 'Asia/Tokyo',
      closed_message: 'We open in January.',
    });

    await page.getByLabel('Closes', { exact: true }).fill('2097-01-01T09:00');
    await button(owner, 'Save: When it is open').click();
    await says(owner, 'Must be after opens_at.');
    expect(owner.problems.take()).toEqual([expect.stringMatching(/^400: /)]);
    await button(owner, 'Discard changes').click();
    await eventually(async () => expect(await page.getByLabel('Closes', { exact: true }).inputValue()).toBe(''));
  });

  itInBrowser('is asked before unsaved changes are left', async () => {
    const { owner } = await atShare();
    const { page } = owner;
    await page.getByLabel('Thank-you text').fill('Thank you!');
    await page.getByRole('link', { name: 'Insights' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await dialog.getByText('Your changes to After sending are not saved.').waitFor();
    expect(await owner.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Thank-you text').inputValue()).toBe('Thank you!');

    await button(owner, 'Save: After sending').click();
    await says(owner, /^Saved$/);
    await page.getByRole('link', { name: 'Insights' }).click();
    await page.waitForURL(/insights/);
  });
});

describe('a person who opens the page Share', () => {
  itInBrowser('as a viewer reads the values, and is offered nothing that changes them', async () => {
    const form = await given.publishedForm({ title: 'Visit survey', settings: { thank_you: { text: 'Thank you!' } } });
    const viewer = await asConsoleMember('viewer', `/console/forms/${form}/share`);
    const thanks = viewer.page.getByLabel('Thank-you text');
    await thanks.waitFor();
    expect([await thanks.inputValue(), await thanks.getAttribute('readonly')]).toEqual(['Thank you!', '']);
    expect(await viewer.page.getByRole('button', { name: /Save|Close form|Add person/ }).count()).toBe(0);
    expect(await viewer.page.getByRole('heading', { name: 'People' }).count()).toBe(0);
    expect(await viewer.accessibilityFaults()).toEqual([]);
  });

  itInBrowser('of a form that was never published is told so, and led to Build', async () => {
    const owner = await asConsoleOwner();
    const { id } = await given.form({ title: 'Draft' }, owner.person);
    await owner.open(`/console/forms/${id}/share`);
    await says(owner, 'Nobody can see this form yet.');
    expect(await owner.page.getByRole('img', { name: /^QR code/ }).count()).toBe(0);
    expect(await owner.page.getByRole('link', { name: 'Go to Build' }).getAttribute('href')).toBe(`/console/forms/${id}/build`);
  });

  itInBrowser.each([
    ['in dark mode', { dark: true }],
    ['on a narrow screen', { width: 320 }],
  ])('can read and use everything %s', async (_how, browser) => {
    const settings = { languages: ['en', 'de'], default_language: 'en' };
    const { owner } = await atShare({ settings }, browser);
    await owner.page.getByText('Without our script').click();
    await owner.page.getByText('Show what it looks like').click();
    await owner.page.frameLocator('iframe').getByLabel('Your name').waitFor();
    expect(await owner.accessibilityFaults()).toEqual([]);
    expect(await owner.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await owner.screenshot('console-share');
  });
});
