import { FormCreateRequest, FormUpdateRequest } from './forms';

it('a slug has 1 to 64 lower-case letters, digits and inner hyphens', () => {
  const isSlug = (slug: string) => FormUpdateRequest.safeParse({ slug }).success;
  for (const slug of ['a', '7', 'a-b', 'a--b', 'x'.repeat(64)]) expect([slug, isSlug(slug)]).toEqual([slug, true]);
  for (const slug of ['', '-a', 'a-', 'A', 'ä', 'a b', 'a\n', 'x'.repeat(65)]) expect([slug, isSlug(slug)]).toEqual([slug, false]);
});

it.each([
  ['  Site visit  ', 'Site visit'],
  [' \n ', ''],
])('the title of a new form is trimmed, and may be blank: %j', (title, kept) => {
  expect(FormCreateRequest.parse({ title })).toEqual({ title: kept });
});
