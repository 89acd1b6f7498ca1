import type { FormItem } from '@sheaf/contracts';
import { stepsOf } from '@sheaf/form-view';
import type { Request } from 'express';
import type { Entered } from './entered';
import { goTo, show } from './places';
import { Tokens } from './tokens';
import type { Deps, FormVisit } from './visit';

const items: FormItem[] = [
  { key: 'a', label: 'a', type: 'short_text', required: false },
  { type: 'page', label: 'Next' },
  { key: 'b', label: 'b', type: 'short_text', required: false },
];

it.each([undefined, 1])('the address of a place keeps how far its respondent has got: %j', async (furthest) => {
  const deps = { tokens: new Tokens(['o'.repeat(43)]) } as unknown as Deps;
  const form = { id: 'f', version: 1, items, steps: stepsOf(items), settings: {} };
  const visit = { form, asked: { call: {} }, path: '/f/f', language: 'en' } as unknown as FormVisit;
  const request = { headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' } } as unknown as Request;
  const entered = {
    ...{ token: 't', started: '', isSaved: false, hasBegun: true, isConfirmed: false },
    values: new Map(),
    files: new Map(),
    faults: [],
    furthest,
  };
  const led = goTo(deps, visit, request, { status: 200, step: 0, entered: entered as unknown as Entered, findings: {} });
  const address = 'redirect' in led ? (/\/at\/([^?#]+)/.exec(led.redirect)?.[1] ?? '') : '';
  expect(await show(deps, visit, request, address)).toMatchObject({ place: { step: 0, entered: { furthest } } });
});
