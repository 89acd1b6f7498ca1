import type { BrowserUser } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import * as given from './given';
import { answer, textFile } from './hosted-form';
import { asOwner } from './people';

export const helpAddress = 'help@example.org';
const options = ['one', 'two', 'three'];

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true, help: 'First and last name', autocomplete: 'name' },
  { key: 'story', label: 'Your story', type: 'long_text', max_length: 40 },
  { key: 'email', label: 'Your address', type: 'email', placeholder: 'ada@example.org' },
  { key: 'nation', label: 'Your country', type: 'country', preferred: ['CH', 'AT'] },
  { key: 'guests', label: 'Guests', type: 'integer', min: 0, max: 5 },
  { key: 'stars', label: 'How many stars?', type: 'rating' },
  { key: 'seats', label: 'Seats', type: 'calculated', formula: 'guests + 1', help: 'With you' },
  { key: 'member', label: 'Are you a member?', type: 'boolean' },
  { type: 'section', label: 'A section with a long name that needs several lines on a narrow screen', help: 'And an explanation.' },
  { key: 'day', label: 'A day', type: 'date' },
  { key: 'time', label: 'A time', type: 'time' },
  { key: 'one', label: 'One of them', type: 'select', options },
  {
    key: 'country',
    label: 'A country',
    type: 'select',
    options: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'Averyveryverylongnamewithoutanyspaceatall'],
  },
  { key: 'some', label: 'Some of them', type: 'multi_select', options, max_choices: 2 },
  { key: 'order', label: 'In which order?', type: 'ranking', options, ranks: 2 },
  { key: 'looks', label: 'How does it look?', type: 'matrix', rows: ['Front', 'Back'], columns: ['Good', 'Middling', 'Bad'] },
  { key: 'stay', label: 'From when to when?', type: 'date_range', max_days: 14 },
  { key: 'home', label: 'Where do you live?', type: 'address' },
  {
    ...{ key: 'company', label: 'Who comes with you?', type: 'repeat', item_label: 'Guest', help: 'Without yourself' },
    fields: [
      { key: 'guest', label: 'Name of the guest', type: 'short_text', required: true },
      { key: 'meal', label: 'Meal of {{guest|the guest}}', type: 'select', options },
    ],
  },
  { key: 'signed', label: 'Your signature', type: 'signature' },
  { key: 'cv', label: 'Your CV', type: 'file', multiple: true, accept: ['text/plain'], max_bytes: 1_000 },
  { type: 'statement', label: 'Almost done', help: 'Only one more page.' },
  { key: 'terms', label: 'I accept the terms', type: 'boolean', required: true, must_be_true: true },
  { type: 'page', label: 'The last page', help: 'With one question.' },
  { key: 'more', label: 'Anything else?', type: 'long_text' },
];
const settings = {
  description: 'This form has a question of each kind.\n\nIt takes five minutes.',
  thank_you: { text: 'See you there' },
  languages: ['en', 'de', 'ar', 'he'],
  default_language: 'en',
  theme: { accent: '#0f766e' },
  resume: { days: 3 },
  help_contact: { email: helpAddress, phone: '+43 1 234' },
  show_answers: true,
};

/** A form with every type of question, and one that is closed. */
export interface Forms {
  open: string;
  closed: string;
}

export async function formsWithEverything(): Promise<Forms> {
  const open = await given.publishedForm({ title: 'A form with everything', fields, settings });
  const closed = await given.publishedForm({ title: 'A closed form', fields, settings });
  await asOwner.patch(`/api/v1/forms/${closed}`, { closes_at: '2021-01-01T00:00:00Z' });
  return { open, closed };
}

/** Goes through all states that a respondent can come to, and stops at each. */
export async function visitStates(
  { page }: BrowserUser,
  { open: form, closed }: Forms,
  onState: (name: string) => Promise<void>,
): Promise<void> {
  const press = async (value: string) => {
    await Promise.all([page.waitForEvent('load'), page.locator(`button[name=do][value="${value}"]:not([tabindex])`).click()]);
  };
  await page.goto(`/f/${form}`);
  await press('add:company');
  await onState('questions');
  await answer(page, {
    email: 'ada@',
    guests: '9',
    'company[0].meal': 'one',
    some: options,
    cv: [textFile('notes.txt')],
    story: 'x'.repeat(60),
  });
  await press('continue');
  await onState('wrong-answers');
  await answer(page, {
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    guests: '2',
    some: ['one'],
    story: 'Short',
    terms: true,
    one: 'two',
    'company[0].guest': 'Grace Hopper',
  });
  await press('continue');
  await onState('second-step');
  await answer(page, { more: 'A long answer\nwith two lines and averyveryverylongwordwithoutanyspaceatallthathastobreak' });
  await press('save');
  await onState('saved');
  await page.goto(`/f/${form}?lang=${(await page.locator('html').getAttribute('lang')) ?? 'en'}`);
  await press('add:company');
  await answer(page, { name: 'Ada Lovelace', 'company[0].guest': 'Grace Hopper', cv: [textFile('notes.txt')], terms: true });
  await press('continue');
  await press('continue');
  await onState('check');
  await press('send');
  await onState('receipt');
  await page.goto(`/f/${closed}`);
  await onState('closed');
  await page.goto('/f/no-such-form');
  await onState('not-found');
  await page.goto(`/f/${form}/resume/unknown`);
  await onState('nothing-saved');
  await page.goto(`/f/${form}?embed=1`);
  await onState('embedded');
  await visitSurprises(page, onState);
}

/** Surprises for a respondent: the form changes, or closes, while they fill it in. */
async function visitSurprises(page: Page, onState: (name: string) => Promise<void>): Promise<void> {
  const form = await given.publishedForm({ title: 'A form that changes', settings });
  const send = () => Promise.all([page.waitForEvent('load'), page.locator('button.primary').click()]);
  await page.goto(`/f/${form}`);
  await answer(page, { name: 'Ada Lovelace', stars: '3' });
  await given.publishAgain(form, { fields: [{ key: 'name', label: 'Your full name', type: 'short_text', required: true }] });
  await send();
  await onState('changed');
  await asOwner.patch(`/api/v1/forms/${form}`, { closes_at: '2021-01-01T00:00:00Z', closed_message: 'Come back next year' });
  await send();
  await onState('closed-meanwhile');
}
