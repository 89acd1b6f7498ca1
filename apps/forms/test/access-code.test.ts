import { withoutAccessHash } from '@sheaf/contracts';
import { isCode } from '@sheaf/runtime';
import { callAs, refused } from '@sheaf/testing';
import {
  client,
  create,
  duplicate,
  editor,
  getSettings,
  json,
  outsider,
  owner,
  publish,
  published,
  putDraft,
  putSettings,
  text,
  useService,
  viewer,
} from './stage';

useService();

const publishedForm = async () => {
  const { id } = await create();
  await putDraft(id, [text('a')]);
  await publish(id);
  return id;
};
const stored = async (id: string) => withoutAccessHash((await published(id)).settings.toString());

describe('the access code of a form', () => {
  it('is stored as a hash and never shown again, only that there is one', async () => {
    const id = await publishedForm();
    expect(await putSettings(id, { access_code: 'spring-2026', description: 'Hi' })).toEqual({ description: 'Hi', has_access_code: true });
    for (const as of [owner, editor, viewer]) expect(await getSettings(id, as)).toEqual({ description: 'Hi', has_access_code: true });
    const { json: settings, accessHash = '' } = await stored(id);
    expect(JSON.parse(settings)).toEqual({ description: 'Hi' });
    expect(accessHash).not.toContain('spring');
    expect(await isCode('spring-2026', accessHash)).toBe(true);
  });

  it('stays when other settings change, is replaced by another one, and removed by null', async () => {
    const id = await publishedForm();
    await putSettings(id, { access_code: 'spring-2026' });
    const before = await stored(id);
    expect(await putSettings(id, { description: 'Hi' })).toEqual({ description: 'Hi', has_access_code: true });
    expect((await stored(id)).accessHash).toBe(before.accessHash);

    await putSettings(id, { access_code: 'spring-2026' });
    expect((await stored(id)).accessHash).not.toBe(before.accessHash);

    expect(await putSettings(id, { access_code: null })).toEqual({ description: 'Hi' });
    expect(json((await published(id)).settings)).toEqual({ description: 'Hi' });
  });

  it('is stored so that an earlier release, which knows no codes, cannot read the settings', async () => {
    const id = await publishedForm();
    await putSettings(id, { access_code: 'spring-2026' });
    const { settings } = await published(id);
    expect(() => json(settings)).toThrow(SyntaxError);
  });

  it('is changed by owners and editors, and has its bounds', async () => {
    const id = await publishedForm();
    for (const as of [viewer, outsider])
      await expect(putSettings(id, { access_code: 'spring-2026' }, as)).rejects.toEqual(refused('forbidden'));
    for (const access_code of ['short', 'x'.repeat(101), ' spring-2026', 'Frühling-2026'])
      await expect(putSettings(id, { access_code })).rejects.toEqual(refused('bad_request', /^access_code: must be 6 to 100 /));
    expect(await getSettings(id)).toEqual({});
  });

  it('goes along with a copy, and is in no document', async () => {
    const id = await publishedForm();
    await putSettings(id, { access_code: 'spring-2026' });
    const copy = await duplicate(id);
    expect(await getSettings(copy.id)).toEqual({ has_access_code: true });
    const { document } = await client.getFormDocument(callAs(owner), { id });
    expect(document.toString()).not.toMatch(/access|scrypt/);
  });

  it('does not keep a form from being published, and its fields from being listed', async () => {
    const id = await publishedForm();
    await putSettings(id, { access_code: 'spring-2026', languages: ['en'] });
    await putDraft(id, [text('a'), text('b')], 1);
    await publish(id);
    await expect(client.listFieldKeys(callAs(owner), { form_id: id, labels: true })).resolves.toMatchObject({ keys: ['a', 'b'] });
  });
});
