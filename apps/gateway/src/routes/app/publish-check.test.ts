import { PublishCheck, publishWarning } from '@sheaf/contracts';
import type { HandlerContext } from '../../route';
import type { Services } from '../services';
import { publishCheck } from './publish-check';

const lost = publishWarning('options_removed', { key: 'colour', version: 1, options: 1 });
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const ofForms = {
  changes: json({ changes: [] }),
  warnings: [lost.message],
  warning_details: json([lost]),
  affected_keys: ['town'],
  affected_options: [{ key: 'colour', options: ['red'] }],
};
const ofSubmissions = {
  counts: [{ key: 'town', submissions: 3 }],
  options: [{ key: 'colour', submissions: 2 }],
  complete: true,
};

/** The check, if the services answer like this. */
async function checked(forms: object, submissions: object) {
  const services = {
    forms: { checkPublication: () => Promise.resolve({ ...ofForms, ...forms }) },
    submissions: { countAnswers: () => Promise.resolve({ ...ofSubmissions, ...submissions }) },
  } as unknown as Services;
  const [check] = publishCheck(services);
  return PublishCheck.parse(await check?.handle({ call: {}, params: { id: 'f' } } as unknown as HandlerContext<unknown, unknown>));
}

it('joins the warnings with what submissions counts', async () => {
  expect(await checked({}, {})).toEqual({
    changes: [],
    warnings: [lost.message],
    warning_details: [lost],
    affected: [{ key: 'town', submissions: 3 }],
    affected_options: [{ key: 'colour', options: ['red'], submissions: 2 }],
  });
  expect(await checked({}, { complete: false })).toMatchObject({ affected_options: [{ submissions_at_least: 2 }] });
});

it('has the texts of an earlier forms, which knows no codes, and no numbers of an earlier submissions, which counts no options', async () => {
  const earlier = { warning_details: Buffer.alloc(0), affected_options: [] };
  expect(await checked(earlier, { options: [] })).toMatchObject({ warnings: [lost.message], warning_details: [], affected_options: [] });
  expect((await checked({}, { options: [] })).affected_options).toEqual([{ key: 'colour', options: ['red'] }]);
});
