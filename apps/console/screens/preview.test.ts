import { fieldTypes, hasSetting } from '@sheaf/contracts';
import { app, at, draft, form, formWith, saving, shortText } from './answers/form';
import { onScreen, onScreens } from './support/on-screens';
import { lost } from './support/recorded-server';

// In each state of the preview, a violation of the page's policy fails the test, in the page as in the frame: so does any problem of a browser.
const open = onScreens();
const preview = `${at('build')}?view=preview`;
const tried = `POST ${app}/draft/try`;
const accepted = { valid: true, faults: [], visible: [] };
const pixel = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const options = ['red', 'blue'].map((value) => ({ value, label: value }));
const ofEachType = fieldTypes.map((type) => ({
  key: type,
  label: `Of type ${type}`,
  type,
  required: false,
  help: 'See https://example.org.',
  ...(hasSetting({ type }, 'options') ? { options } : {}),
  ...(hasSetting({ type }, 'rows') ? { rows: options, columns: options } : {}),
  ...(type === 'calculated' ? { formula: 'number + integer' } : {}),
  ...(type === 'repeat' ? { fields: [shortText('inner')] } : {}),
}));
const statement = { type: 'statement', label: 'A statement', help: 'Read this.' };
const page2 = { type: 'page', label: 'The second page' };

onScreen('the preview keeps to the policy of the page while there is nothing in the form', async () => {
  const { page } = await open(preview, formWith([], { current_version: 0 }));
  await page.frameLocator('iframe').getByRole('button', { name: 'Send' }).waitFor();
});

onScreen.each(['light', 'dark'])(
  'the preview keeps to the policy with every type of field and all settings, %s, on a phone',
  async (look) => {
    const more = {
      description: 'What we ask.',
      languages: ['en', 'ar'],
      default_language: 'en',
      theme: { accent: '#aa0000', background: '#ffffee', logo: pixel },
      help_contact: { email: 'help@example.org', phone: '+49 30 1234', url: 'https://example.org' },
      resume: { days: 3 },
      show_answers: true,
      thank_you: { text: 'Thanks.', redirect_url: 'https://example.org/' },
      proof_of_work: true,
    };
    const fields = [...ofEachType, statement, page2, shortText('last')];
    const { page } = await open(`${preview}&look=${look}&width=phone`, {
      ...formWith(fields),
      ...saving,
      [`GET ${app}`]: form(more),
      [`GET ${app}/draft`]: { ...draft(fields), payment: { amount: 2500, currency: 'eur' } },
      [tried]: accepted,
    });
    const frame = page.frameLocator('iframe');
    await frame.locator('img.logo').waitFor();
    await frame.getByLabel('Of type short_text').fill('Ada');
    await frame.locator('input[name="file.file"]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('a') });
    await frame.getByRole('button', { name: 'Continue' }).last().click();
    await frame.getByLabel('last').fill('x');
    await frame.getByRole('button', { name: 'Continue' }).last().click();
    await frame.getByText('a.png').waitFor();
    await frame.getByRole('button', { name: 'Send' }).last().click();
    await page.getByText('These answers would be accepted.').waitFor();
    await frame.getByText('Thanks.').waitFor();
    await frame.getByRole('link', { name: 'Continue' }).click();
    await frame.getByRole('link', { name: 'Fill in the form again' }).click();
    await frame.getByRole('link', { name: 'العربية' }).click();
    await frame.locator('html[dir=rtl]').waitFor();
  },
);

onScreen('the preview keeps to the policy where answers are refused, and where they cannot be tried', async () => {
  const faults = [{ key: 'name', code: 'too_long', params: { max: 3 }, message: 'must have at most 3 characters' }];
  const { page, server, problems } = await open(preview, {
    ...formWith([shortText('name', 'Name', { max_length: 3 })]),
    [tried]: { valid: false, faults, visible: ['name'] },
  });
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Name').fill('Grace');
  await frame.getByRole('button', { name: 'Send' }).click();
  await frame.getByRole('alert').waitFor();
  await frame.getByRole('link', { name: /Name/ }).click();
  expect(problems.take()).toEqual([]);
  server.set({ [tried]: lost });
  await frame.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sheaf cannot be reached.').waitFor();
  expect(problems.take()).toEqual([expect.stringContaining('ERR_EMPTY_RESPONSE')]);
});

onScreen('the preview leaves out an option that an earlier answer hides, and names it, as the page does', async () => {
  const region = { key: 'region', label: 'Region', type: 'select', required: true, options };
  const towns = options.map(({ value, label }) => ({
    value: `in_${value}`,
    label: `In ${label}`,
    visible_if: { key: 'region', equals: value },
  }));
  const town = { key: 'town', label: 'Town', type: 'select', required: false, options: [...towns, { value: 'none', label: 'None' }] };
  const { page } = await open(preview, { ...formWith([region, page2, town]), ...saving, [tried]: accepted });
  const frame = page.frameLocator('iframe');
  const go = (name: string) => frame.getByRole('button', { name }).last().click();
  await frame.getByText('red', { exact: true }).click();
  await go('Continue');
  await frame.getByText('In red').click();
  await go('Back');
  await frame.getByText('blue', { exact: true }).click();
  await go('Continue');
  await frame.getByText('In blue').waitFor();
  await frame.getByRole('status').getByText('In red').waitFor();
  await frame.getByLabel('In red').waitFor({ state: 'detached' });
});

onScreen('the preview adds items to a repeat, takes one out, and tries those that are left, as the page does', async () => {
  const guests = {
    ...{ key: 'guests', label: 'Guests', type: 'repeat', required: false, item_label: 'Guest', max: 2 },
    fields: [shortText('name', 'Name')],
  };
  const { page, server } = await open(preview, { ...formWith([guests]), [tried]: accepted });
  const frame = page.frameLocator('iframe');
  const press = (name: string) => frame.getByRole('button', { name, exact: true }).last().click();
  const nameIn = (item: string) => frame.getByRole('group', { name: item }).getByLabel('Name');
  await press('Add Guest');
  await frame.getByRole('group', { name: 'Guest 1' }).and(frame.locator(':focus')).waitFor();
  await press('Add another Guest');
  await nameIn('Guest 1').fill('Ann');
  await nameIn('Guest 2').fill('Bob');
  await frame.getByText('No more can be added: the maximum is 2.').waitFor();
  await press('Remove Guest 1');
  await nameIn('Guest 2').waitFor({ state: 'detached' });
  await press('Send');
  await page.getByText('These answers would be accepted.').waitFor();
  expect(server.sent(tried)).toEqual([{ data: { guests: [{ name: 'Bob' }] } }]);
});
