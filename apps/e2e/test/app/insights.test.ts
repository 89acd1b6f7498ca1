import { eventually } from '@sheaf/testing';
import * as given from '../../support/given';
import { sheafJson } from '../../support/operator';
import { anyone, asMember, asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

const dataDir = process.env.E2E_DATA_DIR ?? '';
const fields = [
  { key: 'name', label: 'Name', type: 'short_text' },
  { key: 'age', label: 'Age', type: 'integer' },
  { key: 'colours', label: 'Colours', type: 'multi_select', options: ['Red', 'Green'] },
];

describe('a person who looks at the insights of a form', () => {
  let form: string;
  const see = async (query = '') => {
    const { status, body } = await asOwner.get(`/app/v1/forms/${form}/insights?${query}`);
    expect(status).toBe(200);
    return body as { submissions: number; days: { date: string; submissions: number }[]; timezone: string };
  };
  beforeAll(async () => {
    form = await given.publishedForm({ fields });
    await asOwner.patch(`/api/v1/forms/${form}`, { timezone: 'Asia/Tokyo' });
    const first = await given.submission(form, { name: 'Ada', age: 36, colours: ['Red'] });
    await given.submission(form, { age: 79, colours: ['Green', 'Red'] });
    const deleted = await given.submission(form, { age: 5 });
    await asOwner.delete(`/api/v1/forms/${form}/submissions/${deleted}`);
    await asOwner.patch(`/api/v1/forms/${form}/submissions/${first}/status`, { status: 'approved' });
  });

  it('sees counts by status, day and answer soon after submissions arrive and change', async () => {
    await eventually(async () =>
      expect(await see()).toMatchObject({
        complete: true,
        submissions: 2,
        timezone: 'Asia/Tokyo',
        statuses: [
          { status: 'approved', submissions: 1 },
          { status: 'new', submissions: 1 },
        ],
        fields: [
          { key: 'name', answered: 1, answered_share: 0.5 },
          { key: 'age', answered: 2, answered_share: 1, numbers: { min: 36, median: 36, max: 79 } },
          {
            key: 'colours',
            answered: 2,
            options: [
              { value: 'Red', submissions: 2 },
              { value: 'Green', submissions: 1 },
            ],
          },
        ],
      }),
    );
    const { days } = await see();
    expect(days).toHaveLength(30);
    expect(days.reduce((sum, { submissions }) => sum + submissions, 0)).toBe(2);
  });

  it('sees how often the form was opened, begun and completed, today', async () => {
    const steps = [{ type: 'page', label: 'You' }, fields[0], { type: 'page', label: 'More' }, fields[1]];
    const visited = await given.publishedForm({ fields: steps });
    const path = `/app/v1/forms/${visited}/insights`;
    const today = async () =>
      ((await asOwner.get(path)).body as { days: { views: number; starts: number; completions: number }[] }).days.at(-1);

    await anyone.get(`/public/v1/forms/${visited}`);
    await PlainPage.open(`/f/${visited}`);
    let page = await PlainPage.open(`/f/${visited}`);
    page.enter('a.name', ['Ada']);
    page = await page.send('');
    await eventually(async () => expect(await today()).toMatchObject({ views: 3, starts: 1, completions: 0 }));

    page.enter('a.age', ['36']);
    const check = await page.send('');
    const backToAge = await check.send('back');
    const checked = await backToAge.send('');
    expect((await checked.send('')).url).toContain('/receipt/');
    await eventually(async () => expect(await today()).toMatchObject({ views: 3, starts: 1, completions: 1 }));
    await eventually(async () =>
      expect((await asOwner.get(path)).body).toMatchObject({
        steps: [
          { kind: 'page', label: 'You', reached: 2, went_on: 1 },
          { kind: 'page', label: 'More', reached: 1, went_on: 1 },
          { kind: 'check', reached: 1, went_on: 1 },
        ],
      }),
    );
  });

  it('gets the same after an operator had them counted anew', async () => {
    await eventually(async () => expect((await see()).submissions).toBe(2));
    const before = await see();
    expect(await sheafJson(dataDir, 'insights', 'recount', '--form', form, '--yes')).toEqual({ forms: 1 });
    await eventually(async () => expect(await see()).toEqual(before));
  });

  it.each([
    ['from=yesterday', 'from: must be a date such as 2026-05-31'],
    ['from=2010-01-01', 'from: must be at most 3659 days before to'],
    ['from=2026-02-01&to=2026-01-01', 'to: must not be before from'],
    ['field=agee', 'field: no version of the form has the field agee'],
    ['fields=age', 'fields: is not a parameter of this operation'],
  ])('is told what is wrong with ?%s', async (query, message) => {
    expect(await asOwner.get(`/app/v1/forms/${form}/insights?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', message } },
    });
  });

  it('needs a role on the form', async () => {
    const viewer = await asMember('viewer');
    expect((await viewer.get(`/app/v1/forms/${form}/insights?field=age`)).body).toMatchObject({ fields: [{ key: 'age' }] });
  });
});
