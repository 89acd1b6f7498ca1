import { readFile } from 'node:fs/promises';
import { eventually } from '@sheaf/testing';
import { api, app, at, form, formId, formOfContract, formWith, shortText } from './answers/form';
import { grace, listOf, signedIn, then } from './answers/people';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import { refused, text, type Answers } from './support/recorded-server';

const open = onScreens();
const fields = [shortText('name', 'Your name')];
const change = `PATCH ${api}`;
const button = ({ page }: Screen, name: string | RegExp) => page.getByRole('button', { name });
const says = ({ page }: Screen, what: string | RegExp) => page.getByText(what).first().waitFor();
const hosted = text('text/html', '<!doctype html><html lang="en"><title>Form</title><label>Your name <input></label></html>');
/** The page of a form as a respondent sees it, for its preview. */
const respondents = (name: string): Answers => ({ [`GET /f/${name}`]: hosted });
const shareOf = (more: object = {}): Answers => ({ ...formWith(fields, more), ...respondents(formId) });

async function atShare(answers: Answers = shareOf(), options = {}): Promise<Screen> {
  const screen = await open(at('share'), answers, options);
  await screen.page.getByRole('heading', { name: 'After sending' }).waitFor();
  return screen;
}
/** The settings are saved, and read again. */
const becomes = ({ server }: Screen, more: object) =>
  server.set({ [change]: formOfContract(more), [`PATCH ${app}`]: form(more), [`GET ${app}`]: form(more) });

onScreen('a form is closed, and opened again by Undo', async () => {
  const screen = await atShare();
  await says(screen, 'Respondents can send the form right now.');
  becomes(screen, { status: 'disabled' });
  await button(screen, 'Close form').click();
  await says(screen, 'The form is disabled, so it takes no submissions.');
  becomes(screen, {});
  await button(screen, 'Undo').click();
  await says(screen, 'Respondents can send the form right now.');
  await eventually(() => expect(screen.server.sent(change)).toEqual([{ status: 'disabled' }, { status: 'active' }]));
});

onScreen('its link, QR code and embed code follow the address of its own, of which faults are at the field', async () => {
  const screen = await atShare();
  const { page, server } = screen;
  const field = page.getByLabel('Last part of the link');
  const refusal = refused(400, 'bad_request', 'slug: must be 1 to 64 lower-case letters, digits and inner hyphens');
  server.set({ [`PATCH ${app}`]: refusal, [change]: refusal });
  await field.fill('Visit_survey!');
  await button(screen, 'Save: Address').click();
  await says(screen, 'Must be 1 to 64 lower-case letters, digits and inner hyphens.');
  expect(screen.problems.take()).toEqual([expect.stringMatching(/^400: /)]);
  await eventually(async () => expect(await field.inputValue()).toBe('visit-survey!'));

  becomes(screen, { slug: 'visit' });
  server.set(respondents('visit'));
  await field.fill('visit');
  await button(screen, 'Save: Address').click();
  const link = `${server.origin}/f/visit`;
  await page.getByRole('img', { name: `QR code of ${link}` }).waitFor();
  await eventually(async () => expect(await page.getByRole('link', { name: 'Open the form' }).getAttribute('href')).toBe(link));
  expect(await page.getByRole('region', { name: 'Embed code' }).innerText()).toBe(
    `<script src="${server.origin}/embed.js" data-form="visit" async></script>`,
  );
  await page.getByText('Show what it looks like').click();
  await page.frameLocator('iframe').getByLabel('Your name').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);

  const [download] = await Promise.all([page.waitForEvent('download'), button(screen, 'Download SVG').click()]);
  expect(download.suggestedFilename()).toBe('visit.svg');
  // The corner of the code begins behind four modules of white.
  expect(await readFile(await download.path(), 'utf8')).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<path fill="#000" d="M4 4h1v1h-1z/s,
  );
});

onScreen('which sites embed it are origins, one per line, or none', async () => {
  const screen = await atShare();
  const { page, server } = screen;
  await page.getByText('Only these').click();
  await page.getByLabel('Origins, one per line').fill('https://a.example\nhttps://b.example\n');
  becomes(screen, { embed_origins: ['https://a.example', 'https://b.example'] });
  await button(screen, 'Save: Allowed sites').click();
  await eventually(() => expect(server.sent(`PATCH ${app}`)).toEqual([{ embed_origins: ['https://a.example', 'https://b.example'] }]));
  await says(screen, /^Saved$/);
  becomes(screen, { embed_origins: [] });
  await page.getByText('None; the form has its own page only').click();
  await button(screen, 'Save: Allowed sites').click();
  await says(screen, 'so there is no preview');
  await eventually(() => expect(server.sent(`PATCH ${app}`).at(-1)).toEqual({ embed_origins: [] }));
});

onScreen('opening times are on the clocks of the form’s time zone, and it says why it is closed', async () => {
  const screen = await atShare();
  const { page, server } = screen;
  const zone = page.getByLabel('Time zone of the form').first();
  await zone.click();
  await zone.fill('Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByLabel('Opens', { exact: true }).fill('2098-01-02T09:00');
  await says(screen, /^For you: \d Jan 2098/);
  const timezone = 'Asia/Tokyo';
  becomes(screen, { opens_at: '2098-01-02T00:00:00.000Z', timezone });
  await button(screen, 'Save: When it is open').click();
  await says(screen, /^It opens on 2 Jan 2098, 0?9:00 \(Asia\/Tokyo\)\.$/);
  expect(Object.assign({}, ...(server.sent(change) as object[]))).toEqual({ opens_at: '2098-01-02T09:00:00', timezone });

  const refusal = refused(400, 'bad_request', 'closes_at: must be after opens_at');
  server.set({ [change]: refusal });
  await page.getByLabel('Closes', { exact: true }).fill('2097-01-01T09:00');
  await button(screen, 'Save: When it is open').click();
  await says(screen, 'Must be after opens_at.');
  expect(screen.problems.take()).toEqual([expect.stringMatching(/^400: /)]);
  await button(screen, 'Discard changes').click();
  await eventually(async () => expect(await page.getByLabel('Closes', { exact: true }).inputValue()).toBe(''));
});

onScreen('beside the title stands what respondents are told, also of places that only the server counts', async () => {
  const limited = { max_submissions: 3, submissions: { total: 3, new: 0, spam: 0 } };
  const beside = (screen: Screen, state: string) => screen.page.locator('h1 ~ *', { hasText: new RegExp(`^${state}$`) }).waitFor();
  const full = await atShare(shareOf(limited));
  await says(full, /^It is full/);
  await beside(full, 'Full');

  const told = { id: formId, title: 'Site visit', version: 1, fields: [], open: false, closed_because: 'full', started: 'token' };
  const paying = await atShare({ ...shareOf({ ...limited, max_submissions: 4 }), [`GET /public/v1/forms/${formId}`]: told });
  await says(paying, /^It is full/);
  await beside(paying, 'Full');
});

onScreen('unsaved changes are not left without a question', async () => {
  const screen = await atShare();
  const { page, server } = screen;
  await page.getByLabel('Thank-you text').fill('Thank you!');
  await page.getByRole('link', { name: 'Submissions' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await dialog.getByText('Your changes to After sending are not saved.').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Thank-you text').inputValue()).toBe('Thank you!');
  becomes(screen, { thank_you: { text: 'Thank you!' } });
  await button(screen, 'Save: After sending').click();
  await says(screen, /^Saved$/);
  await eventually(() => expect(server.sent(`PATCH ${app}`)).toEqual([{ thank_you: { text: 'Thank you!' } }]));
  await page.getByRole('link', { name: 'Build' }).click();
  await page.waitForURL(/build/);
});

onScreen('somebody gets a role on it, which is changed and revoked, with a way back', async () => {
  const screen = await atShare();
  const { page, server } = screen;
  const grant = (role: string) => ({ user_id: grace.id, role, created_at: then, name: grace.name, email: grace.email });
  const grants = `GET ${app}/grants`;
  const one = `${app}/grants/${grace.id}`;
  await button(screen, 'Add person').click();
  server.set({ [`POST ${app}/grants`]: refused(400, 'bad_request', 'email: is not the address of a person in this instance') });
  await page.getByLabel('Email').fill('nobody@example.org');
  await button(screen, 'Give access').click();
  await says(screen, 'Is not the address of a person in this instance.');
  screen.problems.take();
  server.set({ [`POST ${app}/grants`]: grant('viewer'), [grants]: listOf([grant('viewer')]) });
  await page.getByLabel('Email').fill(grace.email);
  expect(await screen.accessibilityFaults()).toEqual([]);
  await button(screen, 'Give access').click();
  await page.getByRole('cell', { name: grace.email }).waitFor();

  server.set({ [`PUT ${one}`]: grant('editor'), [grants]: listOf([grant('editor')]) });
  const looks = server.asked(grants).length;
  await button(screen, /Role of Grace/).click();
  await page.getByRole('option', { name: 'Editor' }).click();
  await eventually(() => expect(server.sent(`PUT ${one}`)).toEqual([{ role: 'editor' }]));
  // The screen looks again after the change, and must find her once more.
  await eventually(() => expect(server.asked(grants).length).toBeGreaterThan(looks));
  server.set({ [`DELETE ${one}`]: undefined, [grants]: listOf([]) });
  await button(screen, 'Revoke access of Grace Hopper').click();
  await says(screen, 'The form is shared with nobody beyond the workspace.');
  server.set({ [grants]: listOf([grant('editor')]) });
  await button(screen, 'Undo').last().click();
  await page.getByRole('cell', { name: grace.email }).waitFor();
});

onScreen('a viewer reads the values, and is offered nothing that changes them', async () => {
  const answers = { ...signedIn('viewer'), ...formWith(fields, { thank_you: { text: 'Thank you!' } }, 'viewer') };
  const screen = await open(at('share'), answers);
  const { page } = screen;
  const thanks = page.getByLabel('Thank-you text');
  await thanks.waitFor();
  expect([await thanks.inputValue(), await thanks.getAttribute('readonly')]).toEqual(['Thank you!', '']);
  expect(await page.getByRole('button', { name: /Save|Close form|Add person/ }).count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'People' }).count()).toBe(0);
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('a form that was never published says so, and leads to Build', async () => {
  const screen = await open(at('share'), formWith(fields, { current_version: 0 }));
  await says(screen, 'Nobody can see this form yet.');
  expect(await screen.page.getByRole('img', { name: /^QR code/ }).count()).toBe(0);
  expect(await screen.page.getByRole('link', { name: 'Go to Build' }).getAttribute('href')).toBe(at('build'));
});

onScreen('everything can be read in the dark on a narrow screen', async () => {
  const screen = await atShare(shareOf({ languages: ['en', 'de'], default_language: 'en' }), { dark: true, width: 320 });
  await screen.page.getByText('Without our script').click();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(await screen.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});
