import { callAs } from '@sheaf/testing';
import { newId } from '@sheaf/kernel';
import { aPng } from '../src/files/drawings';
import { indexWaiting } from '../src/search/search-index';
import { StartedWithFiles } from './started-with-files';

const withFiles = new StartedWithFiles();
const { started, upload, submit, download } = withFiles;
const { viewer, editor } = started;
beforeAll(withFiles.start);
afterAll(withFiles.stop);

const fields = Buffer.from(
  JSON.stringify([
    { key: 'signed', label: 'Signed', type: 'signature', required: true },
    { key: 'other', label: 'Other', type: 'file', required: false },
    { key: 'note', label: 'Note', type: 'short_text', required: false },
  ]),
);
const labels = [
  {
    ...{ key: 'signed', label: 'Signed', type: 'signature', options: {} },
    parts: [
      { name: 'kind', kind: 'text' },
      { name: 'name', kind: 'text' },
      { name: 'file_id', kind: 'file' },
    ],
  },
  { key: 'other', label: 'Other', type: 'file', options: {} },
];
const aForm = () => withFiles.aForm({ fields, labels });
const never = new AbortController().signal;

const drawing = aPng({ width: 300, height: 100, pixel: (x, y) => (x === y ? [0, 0, 0, 255] : [255, 255, 255, 255]) });
const draw = (form: string, bytes = drawing, field = 'signed') =>
  upload(form, { field, name: 'signature.png', type: 'image/png', chunks: [bytes] });
const read = async (form_id: string, id: string) => {
  const { data } = await started.client.getSubmission(callAs(viewer), { form_id, id });
  return JSON.parse(data.toString()) as Record<string, unknown>;
};
const exported = async (form_id: string, more: object = {}) => {
  const parts: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(viewer), { form_id, format: 'csv', ...more })) parts.push(data);
  return Buffer.concat(parts).toString();
};

it('a signature is a picture that belongs to its submission from then on, or a name', async () => {
  const form = aForm();
  const { file_id } = await draw(form);
  const drawn = await submit(form, { signed: { kind: 'drawn', file_id } });
  expect(await read(form, drawn.id)).toEqual({ signed: { kind: 'drawn', file_id } });
  expect((await download(form, file_id)).bytes.equals(drawing)).toBe(true);
  expect(await withFiles.rowsOf(form)).toEqual([{ id: file_id, state: 'claimed' }]);
  const typed = await submit(form, { signed: { kind: 'typed', name: ' Ada ' } });
  expect(await read(form, typed.id)).toEqual({ signed: { kind: 'typed', name: 'Ada' } });
});

it('a picture signs one submission alone, and only as one that was drawn for this question', async () => {
  const form = aForm();
  const { file_id } = await draw(form);
  await submit(form, { signed: { kind: 'drawn', file_id } });
  const { file_id: other } = await draw(form, drawing, 'other');
  const elsewhere = (await draw(aForm())).file_id;
  for (const id of [file_id, other, elsewhere, newId()])
    await expect(submit(form, { signed: { kind: 'drawn', file_id: id } })).rejects.toMatchObject({
      code: 'bad_request',
      details: [{ key: 'signed', code: 'not_file' }],
    });
});

it('a file from when the question took any is no signature', async () => {
  const anyFile = Buffer.from(JSON.stringify([{ key: 'signed', label: 'Signed', type: 'file', required: false }]));
  const form = withFiles.aForm({ fields: anyFile });
  const { file_id } = await upload(form, { field: 'signed' });
  started.republish(form, fields);
  await expect(submit(form, { signed: { kind: 'drawn', file_id } })).rejects.toMatchObject({
    details: [{ key: 'signed', code: 'not_file' }],
  });
});

it.each([
  ['another format', Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00', 'latin1'), 'bad_request', 'file_type_not_accepted'],
  ['nothing on it', aPng({ width: 30, height: 10, pixel: () => [255, 255, 255, 255] }), 'bad_request', 'drawing_empty'],
  ['too many pixels', aPng({ width: 2_001, height: 2, pixel: (x) => [x, 0, 0, 255] }), 'bad_request', 'drawing_too_large'],
  ['its end cut off', drawing.subarray(0, -12), 'bad_request', 'not_drawing'],
  ['too many bytes', Buffer.concat([drawing, Buffer.alloc(262_145)]), 'payload_too_large', 'file_too_large'],
])('a picture with %s is refused by name, and nothing of it is kept', async (_, bytes, code, fault) => {
  const form = aForm();
  await expect(draw(form, bytes)).rejects.toMatchObject({ code, details: [{ key: 'signed', code: fault }] });
  await withFiles.expectNothingLeft(form);
});

it('files have the kind, the name and the picture in columns, and an archive the picture', async () => {
  const form = aForm();
  const { file_id } = await draw(form);
  await submit(form, { signed: { kind: 'drawn', file_id } });
  await submit(form, { signed: { kind: 'typed', name: 'Ada' } });
  const plain = await exported(form);
  for (const cells of ['signed – kind,signed – name,signed – file_id', `drawn,,${file_id}`, 'typed,Ada,']) expect(plain).toContain(cells);
  const labelled = await exported(form, { labels: true, language: 'en' });
  expect(labelled).toContain('Signed – way of signing,Signed – name,Signed – drawing');
  expect(labelled).toContain('drawn,,signature.png');
  expect(await exported(form, { format: 'zip' })).toContain('signature.png');
});

it('a submission is found by the name that signed it, and by its picture', async () => {
  const form = aForm();
  const { file_id } = await draw(form);
  const drawn = await submit(form, { signed: { kind: 'drawn', file_id } });
  const typed = await submit(form, { signed: { kind: 'typed', name: 'Ada Lovelace' } });
  await indexWaiting(started.deps, never);
  const found = async (more: object) => {
    const { submissions } = await started.client.findSubmissions(callAs(viewer), {
      ...{ form_id: form, limit: 25, sort: '-created', statuses: [], filters: [], people: [] },
      ...more,
    });
    return submissions.map(({ id }) => id);
  };
  expect(await found({ q: 'lovelace' })).toEqual([typed.id]);
  expect(await found({ q: 'typed' })).toEqual([]);
  expect(await found({ filters: [{ key: '_files', comparison: 'eq', values: ['true'] }] })).toEqual([drawn.id]);
});

it('a correction keeps the picture, or has a name in its place', async () => {
  const form = aForm();
  const { file_id } = await draw(form);
  const { id } = await submit(form, { signed: { kind: 'drawn', file_id } });
  const correct = (data: object, revision = 0) =>
    started.client.correctSubmission(callAs(editor), { form_id: form, id, data: Buffer.from(JSON.stringify(data)), revision });
  const { file_id: ofAnother } = await draw(form);
  await submit(form, { signed: { kind: 'drawn', file_id: ofAnother } });
  await expect(correct({ signed: { kind: 'drawn', file_id: ofAnother } })).rejects.toMatchObject({
    details: [{ key: 'signed', code: 'not_file' }],
  });
  await correct({ signed: { kind: 'drawn', file_id }, note: 'Late' });
  expect(await read(form, id)).toEqual({ signed: { kind: 'drawn', file_id }, note: 'Late' });
  await correct({ signed: { kind: 'typed', name: 'Ada' } }, 1);
  expect(await read(form, id)).toEqual({ signed: { kind: 'typed', name: 'Ada' } });
  // The first revision still has it.
  expect((await download(form, file_id)).bytes.equals(drawing)).toBe(true);
});
