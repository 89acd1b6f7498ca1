import type { FormItem } from '@sheaf/contracts';
import { stepsOf } from '@sheaf/form-view';
import { arrived } from './entered';
import type { OpenForm } from './known-forms';
import { Posted } from './posted';
import { Tokens } from './tokens';

const items: FormItem[] = [{ key: 'a', label: 'a', type: 'short_text', required: false }];
const form = { id: 'f', items, steps: stepsOf([...items, { type: 'page', label: 'Next' }, ...items]) } as unknown as OpenForm;

it.each([
  ['0', 0],
  ['2', 2],
  ['3', undefined],
  ['999', undefined],
  ['-1', undefined],
  ['x', undefined],
  ['', undefined],
])('a page that says %j of how far its respondent has got is read as %j, in a form with two pages', (said, furthest) => {
  const posted = new Posted(new Map([['furthest', [said]]]));
  const more = { token: 't', tokens: new Tokens(['o'.repeat(43)]), uploaded: new Map(), faults: [] };
  expect(arrived(form, posted, more).furthest).toBe(furthest);
});
