import { createHash } from 'node:crypto';
import { newId } from '@sheaf/kernel';
import { callAs, eventually, refused } from '@sheaf/testing';
import {
  client,
  clock,
  create,
  db,
  duplicate,
  editor,
  get,
  getSettings,
  grant,
  json,
  later,
  logo,
  outsider,
  owner,
  patch,
  publish,
  published,
  putDraft,
  putSettings,
  recordEvents,
  respondent,
  robot,
  stranger,
  text,
  trash,
  useService,
  viewer,
  workspaceId,
} from './stage';

useService();

const png = (length = 100) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(length - 8, 7)]);
const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const all = {
  description: 'Tell us about your visit.',
  thank_you: { text: 'Thanks!', redirect_url: 'https://example.com/thanks' },
  languages: ['en', 'de'],
  default_language: 'en',
  translations: { de: { title: 'Besuch', thank_you: 'Danke!' } },
  embed_origins: ['https://example.com'],
  theme: { accent: '#7f1d1d', background: '#fef3c7', logo: dataUrl(png()) },
  review_before_sending: true,
  resume: { days: 30 },
  help_contact: { email: 'help@example.com' },
  show_answers: true,
  proof_of_work: true,
};

const publishedForm = async () => {
  const { id } = await create();
  await putDraft(id, [text('a')]);
  await publish(id);
  return id;
};

describe('the settings of a form', () => {
  it('are empty at first', async () => {
    const id = await publishedForm();
    expect(await getSettings(id)).toEqual({});
    expect(json((await published(id)).settings)).toEqual({});
  });

  it('are changed one by one, cleared by null, and in effect without publishing', async () => {
    const id = await publishedForm();
    expect(await putSettings(id, all)).toEqual(all);
    later();

    const { resume: _resume, translations: _translations, ...rest } = all;
    expect(await putSettings(id, { resume: null, translations: null, description: 'New' })).toEqual({ ...rest, description: 'New' });

    expect(await getSettings(id)).toEqual({ ...rest, description: 'New' });
    expect(await get(id)).toMatchObject({ updated_at: clock.now().toISOString(), current_version: 1 });
    expect(json((await published(id)).settings)).toEqual({
      ...rest,
      description: 'New',
      theme: { ...all.theme, logo: hashOf(png()) },
    });
  });

  it('come with the form as the caller sees it, also after a change', async () => {
    const { id } = await create('Visit', owner);
    await putDraft(id, [text('a')]);
    await grant(id, outsider, 'viewer');
    await client.setFavorite(callAs(outsider), { id, favorite: true });
    const { found } = await client.getFormSettings(callAs(outsider), { id });
    expect(found).toMatchObject({ form: { ...(await get(id, outsider)), role: 'viewer', favorite: true }, workspace_id: workspaceId });
    expect(found).toMatchObject({ unpublished_changes: true });

    await publish(id);
    const changed = await client.updateFormSettings(callAs(owner), { id, patch: Buffer.from('{"description":"New"}') });
    expect(changed.found).toMatchObject({ form: await get(id, owner), unpublished_changes: false });
  });

  it('keep absent ones, and the time of the last update if the patch is empty', async () => {
    const id = await publishedForm();
    await putSettings(id, all);
    const before = await get(id);
    later();

    expect(await putSettings(id, {})).toEqual(all);
    expect(await putSettings(id, { unknown: 1 })).toEqual(all);
    expect(await get(id)).toEqual(before);
  });

  it('are readable with every role, and changed by owners, editors and service accounts', async () => {
    const id = await publishedForm();
    for (const as of [owner, editor, robot]) expect(await putSettings(id, { description: as.id }, as)).toEqual({ description: as.id });
    for (const as of [owner, editor, robot, viewer]) expect(await getSettings(id, as)).toEqual({ description: robot.id });

    await expect(putSettings(id, { description: 'x' }, viewer)).rejects.toEqual(refused('forbidden'));
    await expect(getSettings(id, outsider)).rejects.toEqual(refused('forbidden'));
    for (const act of [getSettings(id, stranger), putSettings(id, all, stranger), getSettings(newId()), putSettings('nonsense', all)])
      await expect(act).rejects.toEqual(refused('not_found', 'There is no such form.'));
    await grant(id, outsider, 'editor');
    expect(await putSettings(id, { description: 'x' }, outsider)).toEqual({ description: 'x' });
  });

  it('can be read but not changed in the trash', async () => {
    const id = await publishedForm();
    await putSettings(id, all);
    await trash(id);
    expect(await getSettings(id)).toEqual(all);
    await expect(putSettings(id, { description: 'x' })).rejects.toEqual(refused('bad_request', /trash/));
    await expect(logo(id)).rejects.toEqual(refused('not_found'));
  });

  it('may show answers to fields of the draft or of the latest version in the thank-you, in each language', async () => {
    const id = await publishedForm();
    await putDraft(id, [text('b')], 1);
    const thanks = (own: string, translated: string) =>
      putSettings(id, { languages: ['en', 'de'], thank_you: { text: own }, translations: { de: { thank_you: translated } } });
    expect(await thanks('Bye {{a}}', 'Danke {{b|dir}}')).toMatchObject({ thank_you: { text: 'Bye {{a}}' } });
    await expect(thanks('Bye {{a}}', 'Danke {{c}}')).rejects.toEqual(
      refused('bad_request', /^translations\.de\.thank_you: must show only/),
    );
    await publish(id);
    // A field that is gone since does not stand in the way of another change.
    expect(await thanks('Bye {{a}}', 'Danke')).toMatchObject({ translations: { de: { thank_you: 'Danke' } } });
    await expect(thanks('Bye {{c}}', 'Danke')).rejects.toEqual(refused('bad_request', /^thank_you\.text: must show only/));
  });

  it('may not show the items of a repeat in the thank-you, which are no text', async () => {
    const { id } = await create();
    await putDraft(id, [text('a'), { ...text('guests'), type: 'repeat', fields: [text('name')] }]);
    const thanks = (shown: string) => putSettings(id, { thank_you: { text: shown } });
    for (const key of ['guests', 'name'])
      await expect(thanks(`Bye {{${key}}}`)).rejects.toEqual(refused('bad_request', /^thank_you\.text: must show only/));
    expect(await thanks('Bye {{a}}')).toMatchObject({ thank_you: { text: 'Bye {{a}}' } });
  });

  it('announce a change, so that caches drop the form', async () => {
    const { id } = await create();
    const { slug } = await patch(id, { slug: 'announced-settings' });
    const events = await recordEvents();

    await putSettings(id, { description: 'x', theme: null });
    await putSettings(id, {});

    await eventually(() => expect(events(id)).toEqual([{ form_id: id, slugs: [slug] }]));
  });

  it('record who changed them in the audit log, with the names of what changed', async () => {
    const { id } = await create();
    await putSettings(id, { description: 'a text', theme: null });
    const entries = await db('outbox').where({ type: 'audit.recorded', form_id: id }).orderBy('id', 'desc').pluck<string[]>('body');
    expect(JSON.parse(entries[0] ?? '')).toMatchObject({
      action: 'form.updated',
      actor: { id: editor.id },
      details: { changed: ['description', 'theme'] },
    });
    expect(entries.join()).not.toContain('a text');
  });

  it('are copied with the form, logo included', async () => {
    const id = await publishedForm();
    await putSettings(id, all);
    const copy = await duplicate(id);

    expect(await getSettings(copy.id)).toEqual(all);
    await putSettings(id, { theme: null });
    expect(await getSettings(copy.id)).toEqual(all);
    expect(await getSettings((await duplicate((await create()).id)).id)).toEqual({});
  });

  it('keep both of two concurrent changes', async () => {
    const { id } = await create();
    await Promise.all([putSettings(id, { description: 'x' }), putSettings(id, { show_answers: true }, owner)]);
    expect(await getSettings(id)).toEqual({ description: 'x', show_answers: true });
  });
});

describe('a change of settings is refused', () => {
  it.each([
    ['a default language that the form does not offer', { languages: ['en'], default_language: 'de' }, /^default_language: must be one of/],
    ['a translation into another language', { languages: ['en'], translations: { de: {} } }, /^translations\.de: must be one of/],
    ['a tag that is no language', { languages: ['german'] }, /^languages\.0: must be a language tag/],
    ['a language twice', { languages: ['en', 'en'] }, /^languages: must not contain a language twice/],
    ['a thank-you without text and redirect', { thank_you: {} }, /^thank_you: must have text or redirect_url/],
    ['an answer that no field has', { thank_you: { text: 'Bye {{nmae}}' } }, /^thank_you\.text: must show only .*"nmae"/],
    ['a redirect to a script', { thank_you: { redirect_url: 'javascript:alert(1)' } }, /^thank_you\.redirect_url: must be a web address/],
    ['a redirect to a path', { thank_you: { redirect_url: '//evil.example' } }, /^thank_you\.redirect_url: must be a web address/],
    ['a redirect without a host', { thank_you: { redirect_url: 'https:///x' } }, /^thank_you\.redirect_url: must be a web address/],
    [
      'a redirect with a password',
      { thank_you: { redirect_url: 'https://a:b@example.com' } },
      /redirect_url: must not contain a user name/,
    ],
    ['a redirect with a user name', { thank_you: { redirect_url: 'https://a@example.com' } }, /redirect_url: must not contain a user name/],
    [
      'a redirect with a line break',
      { thank_you: { redirect_url: 'https://example.com/\r\nX: y' } },
      /redirect_url: must not contain white/,
    ],
    ['a redirect in disguise', { thank_you: { redirect_url: 'https://example.com/\u202egpj' } }, /redirect_url: must not contain white/],
    ['an origin with a path', { embed_origins: ['https://example.com/'] }, /^embed_origins\.0: must be an origin/],
    ['an origin with a wildcard', { embed_origins: ['https://*'] }, /^embed_origins\.0: must be an origin/],
    ['all subdomains', { embed_origins: ['https://*.example.com'] }, /^embed_origins\.0: must be an origin/],
    ['an origin with a directive behind it', { embed_origins: ['https://a;sandbox'] }, /^embed_origins\.0: must be an origin/],
    ['the origin of an opaque document', { embed_origins: ['null'] }, /^embed_origins\.0: must be an origin/],
    ['a pale accent', { theme: { accent: '#f59e0b' } }, /^theme\.accent: has a contrast of 2\.14:1 with the background #ffffff/],
    ['a colour by name', { theme: { accent: 'red' } }, /^theme\.accent: must be a colour/],
    ['a logo that is a script', { theme: { logo: 'data:image/svg+xml;base64,PHN2Zz4=' } }, /^theme\.logo: must be a data URL of a PNG/],
    [
      'a logo that only claims to be a picture',
      { theme: { logo: dataUrl(Buffer.from('<svg>')) } },
      /^theme\.logo: is declared as image\/png/,
    ],
    ['a logo of another format', { theme: { logo: dataUrl(png(), 'image/webp') } }, /^theme\.logo: is declared as image\/webp/],
    ['a large logo', { theme: { logo: dataUrl(png(65_537)) } }, /^theme\.logo: must be a picture of at most 65536 bytes/],
    ['a help contact without any', { help_contact: {} }, /^help_contact: must have email, phone or url/],
    ['answers kept for too long', { resume: { days: 91 } }, /^resume\.days: must be a whole number between 1 and 90/],
  ])('for %s, naming the field', async (_, changes, message) => {
    const { id } = await create();
    await putSettings(id, { description: 'before' });
    await expect(putSettings(id, changes)).rejects.toEqual(refused('bad_request', message));
    expect(await getSettings(id)).toEqual({ description: 'before' });
  });

  it('if it contradicts a setting that stays', async () => {
    const { id } = await create();
    await putSettings(id, { languages: ['en', 'de'], default_language: 'de', translations: { en: {} } });
    await expect(putSettings(id, { languages: ['de'] })).rejects.toEqual(refused('bad_request', /^translations\.en: /));
    await expect(putSettings(id, { languages: ['en'] })).rejects.toEqual(refused('bad_request', /^default_language: /));
    expect(await putSettings(id, { languages: ['en'], default_language: null })).toMatchObject({ languages: ['en'] });
  });
});

describe('the logo', () => {
  it.each([
    ['image/png', png(65_536)],
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1])],
    ['image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')],
  ])('is a picture of the type %s', async (type, bytes) => {
    const id = await publishedForm();
    expect(await putSettings(id, { theme: { logo: dataUrl(bytes, type) } })).toEqual({ theme: { logo: dataUrl(bytes, type) } });
    expect(await logo(id)).toEqual({ content_type: type, bytes });
    expect(json((await published(id)).settings)).toEqual({ theme: { logo: hashOf(bytes) } });
  });

  it('stays with other changes and goes with a theme that has none', async () => {
    const id = await publishedForm();
    await patch(id, { slug: 'with-logo' });
    await putSettings(id, { theme: all.theme });
    await putSettings(id, { description: 'x' });
    expect(await logo('with-logo')).toMatchObject({ bytes: png() });

    await putSettings(id, { theme: { accent: '#7f1d1d' } });
    expect(await getSettings(id)).toEqual({ description: 'x', theme: { accent: '#7f1d1d' } });
    await expect(logo(id)).rejects.toEqual(refused('not_found', 'There is no such logo.'));
    expect(await db('form_settings').where({ form_id: id }).first('logo', 'logo_type')).toEqual({ logo: null, logo_type: null });
  });

  it('is found only on published forms of the same instance', async () => {
    const { id } = await create();
    await putSettings(id, { theme: all.theme });
    for (const act of [logo(id), logo(newId()), logo('no slug')]) await expect(act).rejects.toEqual(refused('not_found'));
    await putDraft(id, [text('a')]);
    await publish(id);
    expect(await logo(id)).toMatchObject({ content_type: 'image/png' });
    await expect(logo(id, { ...respondent, instanceId: newId() })).rejects.toEqual(refused('not_found'));
  });
});

describe('a published form', () => {
  it('has the fields of the given version and the settings and time zone of today', async () => {
    const id = await publishedForm();
    await putDraft(id, [text('b')], 1);
    await publish(id);
    await putSettings(id, { description: 'x' });
    await patch(id, { timezone: 'Europe/Berlin' });

    const old = await published(id, respondent, 1);
    expect(old).toMatchObject({ version: 1, timezone: 'Europe/Berlin' });
    expect(json(old.fields)).toMatchObject([{ key: 'a' }]);
    expect(json(old.settings)).toEqual({ description: 'x' });
    expect(await published(id, respondent, 2)).toEqual(await published(id));
    await expect(published(id, respondent, 3)).rejects.toEqual(refused('not_found'));
  });
});
