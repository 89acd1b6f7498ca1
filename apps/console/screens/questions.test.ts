import { eventually } from '@sheaf/testing';
import { app, at, formWith, saving } from './answers/form';
import { fits } from './support/fits';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import type { Answers } from './support/recorded-server';

const open = onScreens();
const sends = ({ server }: Screen, field: object) =>
  eventually(() => expect((server.sent(`PUT ${app}/draft`).at(-1) as { fields: object[] } | undefined)?.fields[0]).toEqual(field));
const building = (field: object): Answers => ({ ...formWith([field]), ...saving });

const option = (value: string, more: object = {}) => ({ value, label: value, ...more });
const day = {
  ...{ key: 'day', label: 'Which day?', type: 'select', required: false },
  options: [option('Monday'), option('Tuesday')],
};
const email = { key: 'email', label: 'Your address', type: 'email', required: false };
const stars = { key: 'stars', label: 'How was it?', type: 'rating', required: false };

onScreen('places of options are limited, and the limits come back with Undo', async () => {
  const screen = await open(`${at('build')}?item=day`, building(day), { height: 1_300 });
  const { page } = screen;
  await page.getByText('Limit places').click();
  await page.getByText('Empty: any number.').waitFor();
  const places = (number: number) => page.getByRole('textbox', { name: `Places of option ${number}` });
  await places(1).fill('20');
  await places(2).fill('1000');
  // With the Tab key, a tooltip would be in the way of axe.
  await places(2).blur();
  const limited = { ...day, options: [option('Monday', { limit: 20 }), option('Tuesday', { limit: 1_000 })] };
  await sends(screen, limited);
  await screen.screenshot('places');
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.getByText('Saved', { exact: true }).waitFor();

  // Opened anew: changes of the same options within a moment are one step of Undo.
  screen.server.set(building(limited));
  await page.reload();
  await places(1).waitFor();
  await page.getByText('Limit places').click();
  await sends(screen, day);
  await places(1).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await sends(screen, limited);
  await eventually(async () => expect(await places(2).inputValue()).toBe('1,000'));
});

onScreen('a ranking asks for the best options only, without a look, places or a default', async () => {
  const ranking = { ...day, type: 'ranking' };
  const screen = await open(`${at('build')}?item=day`, building(ranking), { height: 1_300 });
  const { page } = screen;
  const ranks = page.getByRole('textbox', { name: 'Only this many ranks' });
  await ranks.fill('1');
  await ranks.blur();
  await page.getByText('Shuffle the options').click();
  await sends(screen, { ...ranking, ranks: 1, shuffle: true });
  for (const name of ['Appearance', 'Limit places', 'Default answer', 'At most this many choices'])
    expect([name, await page.getByText(name, { exact: true }).count()]).toEqual([name, 0]);
  await screen.screenshot('ranking');
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('each answer is asked for only once, with a message of the author', async () => {
  const screen = await open(`${at('build')}?item=email`, building(email), { height: 1_600 });
  const { page } = screen;
  await page.getByText('Each answer only once').click();
  await page.getByText('A second submission with the same answer is refused').waitFor();
  await page.getByRole('textbox', { name: 'If another submission has it already' }).fill('You are registered already.');
  await sends(screen, { ...email, unique: true, messages: { unique: 'You are registered already.' } });
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('unique');
});

onScreen('a rating has a look and words at its ends, and its score sets the scale', async () => {
  const screen = await open(`${at('build')}?item=stars`, building(stars), { height: 1_600 });
  const { page } = screen;
  await page.getByRole('button', { name: 'Appearance' }).click();
  await page.getByRole('option', { name: 'Faces' }).click();
  await page.getByRole('textbox', { name: 'What the lowest step means' }).fill('Bad');
  await page.getByRole('textbox', { name: 'What the highest step means' }).fill('Good');
  const named = { ...stars, low_label: 'Bad', high_label: 'Good' };
  await sends(screen, { ...named, appearance: 'faces' });
  await screen.screenshot('rating');
  await page.getByText('Net Promoter Score').click();
  await sends(screen, { ...named, score: 'nps', min: 0, max: 10 });
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('a choice has a look, and its options are shuffled', async () => {
  const screen = await open(`${at('build')}?item=day`, building(day), { height: 1_300 });
  const { page } = screen;
  const look = page.getByRole('button', { name: 'Appearance' });
  await look.click();
  expect(await page.getByRole('option').allTextContents()).toEqual([
    'Automatic: a list, or a dropdown from 8 options',
    ...['List', 'Dropdown', 'Buttons'],
  ]);
  await page.getByRole('option', { name: 'Buttons' }).click();
  await page.getByText('Shuffle the options').click();
  await page.getByText('“Other” stays last.').waitFor();
  await sends(screen, { ...day, appearance: 'buttons', shuffle: true });
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('choices');
  await look.click();
  await page.getByRole('option', { name: 'Automatic' }).click();
  await page.getByText('Shuffle the options').click();
  await sends(screen, day);
});

onScreen('Other is offered under a label of its own, and its text is no field of the list', async () => {
  const screen = await open(`${at('build')}?item=day`, building(day), { height: 1_300 });
  const { page } = screen;
  await page.getByText('Offer “Other”, with a text').click();
  await page.getByText('The text is stored under day_other.').waitFor();
  await page.getByRole('textbox', { name: 'Label of this option' }).fill('Another day');
  await sends(screen, { ...day, other: { label: 'Another day' } });
  expect(await page.getByRole('grid', { name: 'Fields and elements of the form' }).getByRole('row').count()).toBe(1);
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('other');
});

const home = { key: 'home', label: 'Where do you live?', type: 'country', required: false };

onScreen('countries are picked by their names, those that are listed first and those that people choose from', async () => {
  const screen = await open(`${at('build')}?item=home`, building(home), { height: 1_300 });
  const { page } = screen;
  const add = async (label: string, typed: string, name: string) => {
    await page.getByRole('group', { name: label }).getByRole('button', { name: label }).click();
    await page.keyboard.type(typed);
    await page.getByRole('option', { name, exact: true }).click();
  };
  await add('Listed first', 'swi', 'Switzerland');
  await add('Only these', 'aus', 'Austria');
  // It could not be chosen.
  await sends(screen, { ...home, only: ['AT'] });
  await add('Only these', 'ger', 'Germany');
  await add('Listed first', 'ger', 'Germany');
  await sends(screen, { ...home, only: ['AT', 'DE'], preferred: ['DE'] });
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('countries');
  await page.getByRole('group', { name: 'Only these' }).getByRole('button', { name: 'Remove Germany' }).click();
  await sends(screen, { ...home, only: ['AT'] });
});

const long = 'Donaudampfschifffahrtsgesellschaft';
onScreen.each([
  [
    'places and Other',
    {
      ...day,
      options: [option(`${long} Montag`, { limit: 20 }), { value: 'b', label: 'الثلاثاء', limit: 1_000_000 }],
      other: { label: long },
    },
  ],
  ['buttons in any order', { ...day, appearance: 'dropdown', shuffle: true, other: { label: long } }],
  ['unique answers', { ...email, unique: true, messages: { unique: `${long} ist schon angemeldet.` } }],
  ['countries', { ...home, only: ['VC', 'GS', 'DE'], preferred: ['GS'], default: 'VC' }],
  ['a rating', { ...stars, min: 0, max: 10, score: 'nps', low_label: long, high_label: 'جيد' }],
])('the panel of %s fits on a phone in German, in the dark, and from right to left', async (kind, field) => {
  const screen = await open(`${at('build')}?item=${field.key}`, building(field), {
    dark: true,
    width: 320,
    height: 1_900,
    locale: 'de-DE',
  });
  await screen.page.getByRole('textbox', { name: 'Frage', exact: true }).waitFor();
  await screen.screenshot(`panel of ${kind}`);
  await fits(screen, 'de');
  await screen.page.evaluate("document.documentElement.dir = 'rtl'");
  await screen.screenshot(`panel of ${kind} from right to left`);
});
