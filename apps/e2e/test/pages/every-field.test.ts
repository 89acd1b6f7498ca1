import { asRespondent, itInBrowser, itWithScriptsAtNight } from '../../support/browser';
import * as given from '../../support/given';
import { answer, faultyKeys, heading, idWith, press, reference, textFile } from '../../support/hosted-form';

const colours = ['red', 'green', 'blue'];
const countries = ['AT', 'BE', 'CH', 'DE', 'ES', 'FR', 'IT', 'NL', 'PL'];

const fields = [
  { type: 'section', label: 'About you', help: 'A few questions.' },
  { key: 'name', label: 'Your name', type: 'short_text', required: true, autocomplete: 'name' },
  { key: 'story', label: 'Your story', type: 'long_text', max_length: 500 },
  { key: 'email', label: 'Your e-mail address', type: 'email' },
  { key: 'site', label: 'Your site', type: 'url' },
  { key: 'phone', label: 'Your phone number', type: 'phone' },
  { key: 'citizen', label: 'Citizenship', type: 'country', preferred: ['GB'] },
  { key: 'height', label: 'Height in metres', type: 'number', min: 0, max: 3 },
  { key: 'children', label: 'Children', type: 'integer', min: 0 },
  { key: 'stars', label: 'How many stars?', type: 'rating', max: 5 },
  { key: 'member', label: 'Are you a member?', type: 'boolean' },
  { type: 'statement', label: 'Now it becomes precise.' },
  { key: 'born', label: 'Day of birth', type: 'date', min_date: '1800-01-01' },
  { key: 'wakes', label: 'When do you get up?', type: 'time' },
  { key: 'meets', label: 'When do we meet?', type: 'datetime' },
  { key: 'stay', label: 'When are you here?', type: 'date_range', max_days: 14 },
  { key: 'home', label: 'Where do you live?', type: 'address', parts: [{ part: 'line1', required: true }, { part: 'city' }] },
  { key: 'colour', label: 'Favourite colour', type: 'select', options: colours },
  { key: 'country', label: 'Country', type: 'select', options: countries },
  { key: 'likes', label: 'What do you like?', type: 'multi_select', options: colours, min_choices: 1, max_choices: 2 },
  { key: 'order', label: 'In which order?', type: 'ranking', options: colours, ranks: 2 },
  { key: 'looks', label: 'How does it look?', type: 'matrix', rows: ['Front', 'Back'], columns: ['Good', 'Bad'] },
  { key: 'times', label: 'When can you come?', type: 'matrix', rows: ['May', 'June'], columns: ['Early', 'Late'], multiple: true },
  {
    ...{ key: 'guests', label: 'Who comes with you?', type: 'repeat', item_label: 'Guest' },
    fields: [
      { key: 'guest', label: 'Name of the guest', type: 'short_text', required: true },
      { key: 'meal', label: 'Meal', type: 'select', options: ['fish', 'soup'] },
    ],
  },
  { key: 'signed', label: 'Your signature', type: 'signature' },
  { key: 'cv', label: 'Your CV', type: 'file', accept: ['text/plain'] },
  { key: 'photos', label: 'Some notes', type: 'file', multiple: true, max_files: 3 },
  { key: 'campaign', label: 'Campaign', type: 'hidden' },
  { key: 'inches', label: 'Height in inches', type: 'calculated', formula: 'round(height / 0.0254, 1)' },
  { key: 'terms', label: 'I accept the terms', type: 'boolean', required: true, must_be_true: true },
];

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Every question', fields });
});

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  const itOfServer = itWithScriptsAtNight(javaScript);

  itInBrowser('a respondent answers a question of each type, and everything is stored as /public/v1 would have stored it', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}?campaign=spring`);
    expect(await heading(page)).toBe('Every question');
    await press(page, 'Add Guest');
    await answer(page, {
      name: 'Ada Lovelace',
      story: 'First line\nsecond line',
      email: 'ada@example.org',
      site: 'https://example.org/ada',
      phone: '+44 20 7946 0000',
      citizen: 'GB',
      height: '1.65',
      children: '3',
      stars: '4',
      member: 'false',
      born: '1815-12-10',
      wakes: '06:30',
      meets: '2031-05-31T14:30',
      stay: ['2031-05-31', '2031-06-02'],
      home: ['Main St 1', 'Berlin'],
      colour: 'green',
      country: 'NL',
      likes: ['red', 'blue'],
      order: ['green', 'red'],
      looks: ['["Front","Good"]', '["Back","Bad"]'],
      times: ['["June","Late"]', '["June","Early"]'],
      'guests[0].guest': 'Grace Hopper',
      'guests[0].meal': 'soup',
      signed: 'Ada Lovelace',
      cv: [textFile('cv.txt')],
      photos: [textFile('one.txt', 'one\n'), textFile('two.txt', 'two\n')],
      terms: true,
    });

    expect([await press(page, 'Send'), await faultyKeys(page)]).toEqual([200, []]);

    expect(await heading(page)).toBe('Thank you');
    const [stored] = await given.submissionsOf(form);
    expect(stored?.id).toEqual(idWith(await reference(page)));
    const { cv, photos, ...others } = stored?.data ?? {};
    expect(others).toEqual({
      name: 'Ada Lovelace',
      story: 'First line\nsecond line',
      email: 'ada@example.org',
      site: 'https://example.org/ada',
      phone: '+44 20 7946 0000',
      citizen: 'GB',
      height: 1.65,
      children: 3,
      stars: 4,
      member: false,
      born: '1815-12-10',
      wakes: '06:30',
      meets: '2031-05-31T14:30',
      stay: { from: '2031-05-31', to: '2031-06-02' },
      home: { line1: 'Main St 1', city: 'Berlin' },
      colour: 'green',
      country: 'NL',
      likes: ['red', 'blue'],
      order: ['green', 'red'],
      looks: { Front: 'Good', Back: 'Bad' },
      times: { June: ['Early', 'Late'] },
      guests: [{ guest: 'Grace Hopper', meal: 'soup' }],
      signed: { kind: 'typed', name: 'Ada Lovelace' },
      campaign: 'spring',
      inches: 65,
      terms: true,
    });
    expect([await given.fileNames(form, cv), await given.fileNames(form, photos)]).toEqual([['cv.txt'], ['one.txt', 'two.txt']]);
  });

  itOfServer('a respondent leaves out what is optional', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Bob', terms: true });
    expect(await press(page, 'Send')).toBe(200);
    expect((await given.submissionsOf(form))[0]?.data).toEqual({ name: 'Bob', terms: true });
  });
});

itInBrowser('each question can be found by its label', async () => {
  const { page } = await asRespondent();
  await page.goto(`/f/${form}`);
  for (const field of fields) {
    if (field.key === undefined || field.type === 'hidden') continue;
    const isGroup =
      ['rating', 'boolean', 'multi_select', 'ranking', 'date_range', 'address', 'matrix', 'repeat', 'signature'].includes(field.type) ||
      field.key === 'colour';
    // The list that opens below the search has the label, too.
    const single = field.type === 'country' ? page.getByRole('combobox', { name: field.label }) : page.getByLabel(beginning(field.label));
    const found = isGroup && field.must_be_true !== true ? page.getByRole('group', { name: field.label }) : single;
    const alternative = page.getByRole('radiogroup', { name: field.label });
    expect({ label: field.label, count: (await found.count()) + (isGroup ? await alternative.count() : 0) }).toEqual({
      label: field.label,
      count: 1,
    });
  }
});

/** A signature asks to type "your name", which is no question for it. */
const beginning = (label: string) => new RegExp(`^${label.replaceAll(/[?.()*+]/g, String.raw`\$&`)}`);
