import { createHash } from 'node:crypto';
import { maxPicturesKept } from '@sheaf/contracts';
import type { Caller, Client } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { removeUnusedPictures } from '../src/pictures/pictures';
import {
  client,
  clock,
  create,
  db,
  duplicate,
  editor,
  getDraft,
  json,
  outsider,
  owner,
  publish,
  putDraft,
  putSettings,
  respondent,
  stranger,
  trash,
  useService,
  viewer,
  workspaceId,
} from './stage';

useService();

const dayMs = 24 * 60 * 60 * 1_000;

/** The beginning of a PNG, which tells its size; `mark` makes it another picture. */
function png(width = 40, height = 30, mark = '', length = 60): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.write(mark, 30);
  return bytes;
}
const jpeg = (width: number, height: number) =>
  Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    1,
    2,
    0xff,
    0xff,
    0xc2,
    0,
    11,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    1,
    1,
  ]);
const webp = (kind: 'VP8X' | 'VP8L' | 'VP8 ', width: number, height: number) => {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0);
  bytes.write(`WEBP${kind}`, 8);
  if (kind === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (kind === 'VP8L') {
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  }
  return bytes;
};
const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const idOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const add = (form_id: string, bytes = png(), as: Client = editor, type?: string) =>
  client.addPicture(callAs(as), { form_id, picture: dataUrl(bytes, type) });
const get = (form_id: string, id: string, as: Client = editor) => client.getPicture(callAs(as), { form_id, id });
const shown = (form: string, picture: string, as: Caller = respondent) => client.getPublishedPicture(callAs(as), { form, picture });
const colours = (...pictures: (string | undefined)[]) => [
  {
    key: 'colour',
    label: 'Colour',
    type: 'select',
    required: false,
    options: pictures.map((picture, at) => ({
      value: `v${at}`,
      label: `Colour ${at}`,
      ...(picture === undefined ? {} : { image: { picture } }),
    })),
  },
];
const kept = (form_id: string) => db('form_picture').where({ form_id }).orderBy('id').pluck<string[]>('id');
const exported = async (id: string, as: Client = editor) =>
  json((await client.getFormDocument(callAs(as), { id })).document) as { pictures?: string[] };
const imported = (document: unknown) =>
  client.importForm(callAs(editor), { workspace_id: workspaceId, document: Buffer.from(JSON.stringify(document)) });

/** A form with a picture in its draft. */
async function pictured(mark = ''): Promise<{ form: string; picture: string }> {
  const { id: form } = await create();
  const { id: picture } = await add(form, png(40, 30, mark));
  await putDraft(form, colours(picture, undefined));
  return { form, picture };
}

describe('a picture of an option', () => {
  it.each([
    ['PNG', 'image/png', png(4_096, 1)],
    ['JPEG', 'image/jpeg', jpeg(640, 480)],
    ['WebP with several parts', 'image/webp', webp('VP8X', 4_096, 1_024)],
    ['lossless WebP', 'image/webp', webp('VP8L', 300, 200)],
    ['lossy WebP', 'image/webp', webp('VP8 ', 300, 200)],
  ])('is a %s of at most 4,096 pixels on a side, under the hash of its bytes', async (_, type, bytes) => {
    const { id: form } = await create();
    const added = await add(form, bytes, editor, type);
    expect(added).toEqual({ id: idOf(bytes), picture: dataUrl(bytes, type) });
    expect(await add(form, bytes, editor, type)).toEqual(added);
    expect(await get(form, added.id)).toEqual(added);
    expect(await kept(form)).toEqual([added.id]);
  });

  it.each([
    ['bytes of another format', 'image/png', jpeg(10, 10), /^picture: is declared as image\/png, but/],
    ['more than 65,536 bytes', 'image/png', png(1, 1, '', 65_537), /^picture: must be a picture of at most 65536 bytes/],
    ['a PNG that is too wide', 'image/png', png(4_097, 1), /^picture: must have at most 4096 pixels on a side; it has 4097 × 1$/],
    ['a PNG of too many pixels', 'image/png', png(2_049, 2_048), /^picture: must have at most 4194304 pixels in all; it has 2049 × 2048$/],
    ['a JPEG that is too high', 'image/jpeg', jpeg(1, 5_000), /^picture: must have at most 4096 pixels/],
    ['a WebP that is too high', 'image/webp', webp('VP8L', 1, 5_000), /^picture: must have at most 4096 pixels/],
    ['a picture without a size', 'image/png', png(0, 0), /^picture: must be a picture that says its width and height$/],
    ['a PNG that ends after its first bytes', 'image/png', png().subarray(0, 8), /^picture: must be a picture that says/],
    [
      'a JPEG without a frame',
      'image/jpeg',
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0]),
      /^picture: must be a picture that says/,
    ],
  ])('is not %s', async (_, type, bytes, message) => {
    const { id } = await create();
    await expect(add(id, bytes, editor, type)).rejects.toEqual(refused('bad_request', message));
  });

  it('is added by those who may change the form, and not in the trash', async () => {
    const { id } = await create('Visit', owner);
    await expect(add(id, png(), viewer)).rejects.toEqual(refused('forbidden'));
    await expect(add(id, png(), outsider)).rejects.toEqual(refused('forbidden'));
    await expect(add(id, png(), stranger)).rejects.toEqual(refused('not_found'));
    await trash(id);
    await expect(add(id, png(), owner)).rejects.toEqual(refused('bad_request', /trash/));
  });

  it('is seen by viewers and respondents once a version has it, and by nobody elsewhere', async () => {
    const { form, picture } = await pictured();
    await expect(get(form, picture, viewer)).rejects.toEqual(refused('not_found'));
    await expect(shown(form, picture)).rejects.toEqual(refused('not_found'));
    await publish(form);
    expect(await get(form, picture, viewer)).toMatchObject({ id: picture });
    expect(await shown(form, picture)).toEqual({ content_type: 'image/png', bytes: png() });
    await expect(shown(form, picture, stranger)).rejects.toEqual(refused('not_found'));
    await expect(get(form, picture, stranger)).rejects.toEqual(refused('not_found'));
    await trash(form);
    await expect(shown(form, picture)).rejects.toEqual(refused('not_found'));
  });

  it('stays readable under its version though the draft and later versions have it no more', async () => {
    const { form, picture } = await pictured();
    await publish(form);
    await putDraft(form, colours(undefined), 1);
    await publish(form);
    clock.advance(2 * dayMs);
    await removeUnusedPictures({ db, clock });
    expect(await shown(form, picture)).toMatchObject({ content_type: 'image/png' });
    await client.restoreDraft(callAs(editor), { id: form, version: 1, revision: 2 });
  });

  it('is removed a day after no draft and no version has it, which leaves time for *Undo*', async () => {
    const { form, picture } = await pictured();
    const { id: unsaved } = await add(form, png(40, 30, 'unsaved'));
    clock.advance(2 * dayMs);
    await putDraft(form, colours(undefined), 1);
    await removeUnusedPictures({ db, clock });
    expect(await kept(form)).toEqual([picture]);
    expect(picture).not.toBe(unsaved);
    await putDraft(form, colours(picture), 2);
    await putDraft(form, colours(undefined), 3);
    clock.advance(2 * dayMs);
    await removeUnusedPictures({ db, clock });
    expect(await kept(form)).toEqual([]);
    await expect(putDraft(form, colours(picture), 4)).rejects.toEqual(
      refused('bad_request', /^fields\.0\.options\.0\.image\.picture: must be/),
    );
  });

  it('is not removed while the draft has it', async () => {
    const { form, picture } = await pictured();
    clock.advance(30 * dayMs);
    await removeUnusedPictures({ db, clock });
    expect(await kept(form)).toEqual([picture]);
  });

  it('stays under legal hold, and with what was overwritten under one', async () => {
    const { id: form } = await create('Visit', owner);
    const [picture, later] = [(await add(form)).id, (await add(form, png(40, 30, 'later'))).id];
    await putDraft(form, colours(picture), 0, owner);
    await putSettings(form, { legal_hold: true }, owner);
    await putDraft(form, colours(undefined), 1, owner);
    clock.advance(2 * dayMs);
    await removeUnusedPictures({ db, clock });
    expect(await kept(form)).toEqual([picture, later].sort());
    await putSettings(form, { legal_hold: null }, owner);
    await removeUnusedPictures({ db, clock });
    expect(await kept(form)).toEqual([picture]);
  });

  it('is copied with the form; one that only the draft has is not copied for viewers', async () => {
    const { form, picture } = await pictured();
    await publish(form);
    const { id: second } = await add(form, png(40, 30, 'second'));
    await putDraft(form, colours(picture, second), 1);
    expect(await kept((await duplicate(form)).id)).toEqual([picture, second].sort());
    expect(await kept((await duplicate(form, viewer)).id)).toEqual([picture]);
  });

  it('is neither published nor copied where only the draft of an earlier release has it', async () => {
    const { form } = await pictured();
    await db('form_picture').where({ form_id: form }).delete();
    await expect(publish(form)).rejects.toEqual(refused('bad_request', /^fields\.0\.options\.0\.image\.picture: must be the id/));
    await expect(duplicate(form)).rejects.toEqual(refused('conflict', /pictures that it no longer has/));
  });

  it('travels with the document of its form, and arrives whole', async () => {
    const { form } = await pictured();
    const document = await exported(form);
    expect(document.pictures).toEqual([dataUrl(png())]);
    const { id } = await imported(document);
    expect(await exported(id)).toEqual(document);
    await expect(imported({ ...document, pictures: undefined })).rejects.toEqual(
      refused('bad_request', /^document\.fields\.0\.options\.0\.image\.picture: must be the SHA-256 hash of one of document\.pictures$/),
    );
    await expect(imported({ ...document, pictures: [dataUrl(jpeg(1, 1))] })).rejects.toEqual(
      refused('bad_request', /^document\.pictures\.0: is declared as image\/png/),
    );
  });

  it('goes with its form', async () => {
    const { form } = await pictured();
    await trash(form);
    await client.eraseForm(callAs(owner), { id: form });
    expect(await kept(form)).toEqual([]);
  });
});

describe('the pictures of a form', () => {
  it('are no more than 40, and together at most 655,360 bytes', async () => {
    const { id: form } = await create();
    const ids = await Promise.all(Array.from({ length: 11 }, async (_, at) => (await add(form, png(40, 30, `large ${at}`, 65_536))).id));
    await expect(putDraft(form, colours(...ids))).rejects.toEqual(
      refused('bad_request', /^fields: must have pictures of together at most 655360 bytes; they have 720896$/),
    );
    await putDraft(form, colours(...ids.slice(0, 10), ids[0]));
    const many = Array.from({ length: 41 }, (_, at) => idOf(Buffer.from(String(at))));
    await expect(putDraft(form, colours(...many), 1)).rejects.toEqual(
      refused('bad_request', /^fields: must have options with at most 40 pictures, but have 41$/),
    );
  });

  it(`are kept up to ${maxPicturesKept}, with those of versions`, async () => {
    const { id: form } = await create();
    await db.raw(
      `insert into form_picture select cast(:form as uuid), cast(n as text), 'image/png', 'x', true, now() from generate_series(1, :most) n`,
      { form, most: maxPicturesKept },
    );
    await expect(add(form)).rejects.toEqual(refused('bad_request', /^picture: is one too many; a form keeps at most 1000 pictures/));
  });

  it('are those of its own options: another form has to get them itself', async () => {
    const { picture } = await pictured();
    const { id } = await create();
    await expect(putDraft(id, colours(picture))).rejects.toEqual(
      refused('bad_request', /^fields\.0\.options\.0\.image\.picture: must be the id/),
    );
  });

  it('belong to options of select and multi_select, and not to Other', async () => {
    const { form, picture } = await pictured();
    const [field] = colours(picture);
    await expect(putDraft(form, [{ ...field, type: 'ranking' }], 1)).rejects.toEqual(
      refused('bad_request', /^fields\.0\.options\.0\.image: is not allowed for the type ranking/),
    );
    const other = { value: 'other', label: 'Other', image: { picture } };
    await expect(putDraft(form, [{ ...field, other: { label: 'Other' }, options: ['a', other] }], 1)).rejects.toEqual(
      refused('bad_request', /^fields\.0\.other: must have no picture/),
    );
  });

  it('are stored in a form that an earlier release refuses, and read as they were sent', async () => {
    const { form, picture } = await pictured();
    const [fields = ''] = await db('draft').where({ form_id: form }).pluck<string[]>('fields');
    expect(fields).toContain(`{"option":{"value":"v0","label":"Colour 0"},"image":{"picture":"${picture}"}}`);
    expect(json((await getDraft(form)).fields)).toMatchObject(JSON.parse(fields) as object);
  });

  it('change between versions like all else of an option', async () => {
    const { form, picture } = await pictured();
    await publish(form);
    await putDraft(form, colours(undefined, picture), 1);
    const { changes } = await client.checkPublication(callAs(editor), { id: form });
    expect(json(changes)).toMatchObject({ changes: [{ kind: 'changed', key: 'colour', changed_properties: ['options'] }] });
  });

  it('are told of before publishing where a dropdown shows none of them', async () => {
    const { form, picture } = await pictured();
    await putDraft(form, [{ ...colours(picture)[0], appearance: 'dropdown' }], 1);
    const { warning_details: details } = await client.checkPublication(callAs(editor), { id: form });
    expect(json(details)).toMatchObject([{ code: 'pictures_unseen', params: { key: 'colour' } }]);
  });
});
