import { parseProgress, stepOf } from './progress';

it.each([
  ['{"form":"f1","hasWebhook":true}', { form: 'f1', hasWebhook: true }],
  ['{"form":7,"isOver":"yes","other":1}', {}],
  ['not JSON', {}],
])('reads %s, and forgets what it does not understand', (text, progress) => expect(parseProgress(text)).toEqual(progress));

const form = (version: number, total: number | undefined) => ({
  current_version: version,
  submissions: total === undefined ? null : { total },
});

it.each([
  ['no form', {}, undefined, 'form'],
  ['a form that was never published', { form: 'f' }, form(0, 0), 'form'],
  ['a published form', { form: 'f' }, form(1, 0), 'submission'],
  ['a form whose submissions cannot be counted', { form: 'f' }, form(1, undefined), 'submission'],
  ['a submission', { form: 'f' }, form(1, 2), 'webhook'],
  ['a webhook that answered', { form: 'f', hasWebhook: true }, form(1, 2), 'done'],
])('with %s, the next step is as it should be', (_what, progress, state, step) => expect(stepOf(progress, state)).toBe(step));
