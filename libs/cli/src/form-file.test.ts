import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { schemaOf } from './form-schema';
import { settingNames } from './form-settings';
import { difference, readFormFile, writeFormFile, type FormFile } from './form-file';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-form-file-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const names = { from: 'before', to: 'after' };
const field = { key: 'name', label: 'Name', type: 'short_text' as const, required: true, max_length: 200 };
const file: FormFile = { form: 'f', title: 'Visit', revision: 1, fields: [field] };
const shuffled = { max_length: 200, required: true, type: 'short_text' as const, label: 'Name', key: 'name' };

it('the order of properties is the same in each file, and is no difference', async () => {
  const [one, other] = [join(folder, 'one.json'), join(folder, 'other.json')];
  await writeFormFile(one, file);
  await writeFormFile(other, { fields: [shuffled], revision: 1, title: 'Visit', form: 'f' });
  expect(await readFile(other, 'utf8')).toBe(await readFile(one, 'utf8'));
  expect(difference(file, { ...file, fields: [shuffled] }, names)).toBe('');
});

it('the order of questions, and the price, are differences', () => {
  const second = { ...field, key: 'second' };
  expect(difference({ ...file, fields: [field, second] }, { ...file, fields: [second, field] }, names)).toContain('"second"');
  expect(difference(file, { ...file, payment: { amount: 2500, currency: 'eur' } }, names)).toContain('+    "amount": 2500,');
});

it.each([
  ['no JSON', '{', 'is not valid JSON'],
  ['an unresolved merge', '{\n<<<<<<< mine\n}', 'conflicts of a merge'],
  ['a list', '[]', 'must be an object'],
  ['no form', JSON.stringify({ ...file, form: undefined }), 'form: must be the id'],
  ['no revision', JSON.stringify({ ...file, revision: '1' }), 'revision: must be a whole number'],
  ['no fields', JSON.stringify({ ...file, fields: {} }), 'fields: must be a list'],
  ['another property', JSON.stringify({ ...file, webhooks: [] }), 'webhooks: is not a property'],
  [
    'another setting',
    JSON.stringify({ ...file, settings: { legal_hold: true }, settings_seen: '' }),
    'settings.legal_hold: is not a setting',
  ],
  ['settings of nowhere', JSON.stringify({ ...file, settings: {} }), 'settings_seen: must be a text'],
])('a file with %s is refused by its name and the property', async (_, text, message) => {
  const path = join(folder, 'visit.form.json');
  await writeFile(path, text);
  await expect(readFormFile(path)).rejects.toThrow(`${path}: `);
  await expect(readFormFile(path)).rejects.toThrow(message);
});

it('settings have one order in each file, and a file without them says nothing of them', async () => {
  const path = join(folder, 'visit.form.json');
  const settings = { theme: { background: '#ffffff', accent: '#0b57d0' }, slug: 'visit' };
  await writeFormFile(path, { ...file, settings, settings_seen: 'x' });
  const text = await readFile(path, 'utf8');
  expect(Object.keys((JSON.parse(text) as { settings: object }).settings)).toEqual(['slug', 'theme']);
  await writeFormFile(path, await readFormFile(path));
  expect(await readFile(path, 'utf8')).toBe(text);
  const titled = { ...file, title: 'Another', settings, settings_seen: 'x' };
  expect(difference(titled, file, names)).toBe('');
  expect(difference(file, titled, names)).toContain('+    "slug": "visit",');
});

it('the schema that editors check a file by has the fields and the settings of the API, and all that they refer to', () => {
  const document = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as {
    components: { schemas: Parameters<typeof schemaOf>[0] };
  };
  const schema = schemaOf(document.components.schemas) as { properties: { settings: { properties: object } }; $defs: object };
  expect(Object.keys(schema.properties.settings.properties)).toEqual(settingNames);
  const missing = Array.from(JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g), ([, name = '']) => name).filter(
    (name) => !(name in schema.$defs),
  );
  expect(missing).toEqual([]);
  expect(JSON.stringify(schema)).not.toContain('#/components/');
});
