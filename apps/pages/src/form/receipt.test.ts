import type { FormItem } from '@sheaf/contracts';
import type { Frame, ReceiptPage } from '@sheaf/form-view';
import { Problem } from '@sheaf/kernel';
import { showReceipt } from './receipt';
import { Tokens, type Receipt } from './tokens';
import type { Deps, FormVisit } from './visit';

const tokens = new Tokens(['secret'.repeat(8)]);
const onward = 'https://example.com/thanks';
const ending: FormItem = { type: 'ending', name: 'no', if: { key: 'a', equals: 'x' }, title: 'A pity' };
const told = { id: 's', status: 'new', created_at: '2026-05-01T12:00:00Z' };
const withEnding = { ...told, ending: Buffer.from(JSON.stringify({ title: 'A pity' })) };

/** The receipt with such a token, when `submissions` answers so. */
async function shown(
  token: Partial<Receipt>,
  answer: object,
  items: readonly FormItem[] = [ending],
): Promise<ReceiptPage & Pick<Frame, 'piped'>> {
  const getReceipt = () => (answer instanceof Problem ? Promise.reject(answer) : Promise.resolve(answer));
  const deps = { tokens, assets: {}, submissions: { getReceipt } } as unknown as Deps;
  const form = { id: 'f', title: 'Form', settings: { thank_you: { text: 'Come in.', redirect_url: onward } }, items };
  const visit = { form, asked: { call: {} }, path: '/f/f', language: 'en', hasLanguage: false, isEmbedded: false, filling: [] };
  const signed = tokens.signReceipt({ form: 'f', submission: '00000000-0000-0000-0000-000000000000', sentAt: 0, ...token });
  const outcome = await showReceipt(deps, visit as unknown as FormVisit, signed);
  if (!('view' in outcome) || outcome.view.kind !== 'receipt') throw new Error('This is no receipt.');
  return outcome.view;
}

const gone = Problem.notFound('submission');
const down = Problem.unavailable('submissions are away');

it.each<[string, Partial<Receipt>, object]>([
  ['for other answers than those that were sent', { before: true }, withEnding],
  ['once the submission with an ending is erased', { hasEnding: true }, gone],
  ['once a submission is erased of which an earlier release says nothing', {}, gone],
  ['once the ending is not told any more', { hasEnding: true }, told],
  ['once the ending is not told any more, for a token of an earlier release', {}, { ...told, has_ending: true }],
  ['for other answers, while nobody can look it up', { before: true }, down],
])('has neither the thank-you nor its page %s', async (_, token, answer) => {
  expect(await shown(token, answer)).toMatchObject({ isUntold: true, ending: undefined, onward: undefined });
});

it.each<[string, Partial<Receipt>, object]>([
  ['while nobody can look it up', { hasEnding: false }, down],
  ['once the submission is erased', { hasEnding: false }, gone],
  ['for a token of an earlier release', {}, told],
])('has the thank-you and its page without an ending, %s', async (_, token, answer) => {
  expect(await shown(token, answer)).toMatchObject({ isUntold: false, onward });
});

it('has the ending, and waits until it can be looked up, whatever the form has by now', async () => {
  expect(await shown({ hasEnding: true }, withEnding, [])).toMatchObject({
    isUntold: false,
    ending: { title: 'A pity' },
    onward: undefined,
  });
  for (const token of [{ hasEnding: true }, {}]) await expect(shown(token, down, [])).rejects.toThrow(down);
});

it('has the answers that its texts show, and none for whoever only has a page that was sent before', async () => {
  const fields = [{ key: 'name', label: 'Name', type: 'short_text', required: false }];
  const piped = Buffer.from(JSON.stringify({ data: { name: 'Ada' }, fields, file_names: {} }));
  const answer = { ...told, file_names: {}, piped };
  expect((await shown({}, answer)).piped).toEqual({ name: 'Ada' });
  expect((await shown({ before: true }, answer)).piped).toEqual({});
  expect((await shown({}, { ...told, file_names: {} })).piped).toEqual({});
});
