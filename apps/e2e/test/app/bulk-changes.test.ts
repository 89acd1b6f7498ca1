import * as given from '../../support/given';
import { asMember, asOwner } from '../../support/people';

it('an editor moves many submissions to the trash, restores them, and marks some as spam', async () => {
  const form = await given.publishedForm();
  const path = `/app/v1/forms/${form}/submissions`;
  const [one, two, three] = [await given.submission(form), await given.submission(form), await given.submission(form)];
  const editor = await asMember('editor');
  const change = async (name: string, submission_ids: string[], more: object = {}) =>
    (await editor.post(`${path}/${name}`, { submission_ids, ...more })).body;
  const idsIn = async (place = '') => ((await asOwner.get(`${path}${place}`)).body as { data: { id: string }[] }).data.map(({ id }) => id);

  expect(await change('bulk-trash', [one, two])).toMatchObject({ updated: [one, two], unchanged: [] });
  expect(await idsIn()).toEqual([three]);
  expect(await change('bulk-restore', [two, three])).toMatchObject({ updated: [two], unchanged: [three] });
  expect(await change('bulk-spam', [two, three], { spam: true })).toMatchObject({ updated: [two, three], unchanged: [] });
  expect(await idsIn()).toEqual([]);
  expect((await idsIn('/spam')).sort()).toEqual([two, three].sort());
  expect(await change('bulk-spam', [three, two], { spam: false })).toMatchObject({ updated: [three, two], unchanged: [] });
  expect(await idsIn()).toEqual([three, two]);
  expect(await change('bulk-spam', [one], { spam: true })).toMatchObject({
    error: { code: 'bad_request', message: `submission_ids: not found in this form: ${one}` },
  });
});
