import { FieldList } from '@sheaf/contracts';
import { outlineOf } from './outline';

const items = (...parsed: object[]) => FieldList.parse(parsed);
const name = { key: 'name', label: 'Name', type: 'short_text' };
const age = { key: 'age', label: 'Age', type: 'integer' };
const page = (label: string) => ({ type: 'page', label });

it('an outline is the same whatever the texts are, and another one once a question moves to another page', () => {
  const { name: outline, labels } = outlineOf(items(name, page('More'), age));
  expect(labels).toEqual([undefined, 'More']);
  expect(outlineOf(items({ ...name, label: 'Your name' }, page('About you'), age)).name).toBe(outline);
  expect(outlineOf(items(name, age, page('More'))).name).not.toBe(outline);
  expect(outlineOf(items(name, age)).name).not.toBe(outline);
});
