import { WorkspaceCreateRequest } from '@sheaf/contracts';
import { anotherSlug, slugOf } from './slug';

describe('a slug made from a name', () => {
  it.each([
    ['Field work', 'field-work'],
    ['  Übersicht: Wien & Graz! ', 'ubersicht-wien-graz'],
    ['ﬁne', 'fine'],
    ['調査', 'workspace'],
    ['---', 'workspace'],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ])('%j gives %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it.each(['Field work', 'x'.repeat(100), 'a-'.repeat(50), '調査'])('is always valid, with and without a suffix: %j', (name) => {
    for (const slug of [slugOf(name), anotherSlug(slugOf(name))])
      expect(WorkspaceCreateRequest.safeParse({ name: 'x', slug })).toMatchObject({ success: true });
  });
});

it.each(['www', 'api', 'admin', 'status'])('%s is reserved, because people would take that host for the service itself', (slug) => {
  const refused = WorkspaceCreateRequest.safeParse({ name: 'x', slug });
  expect(refused.error?.issues).toMatchObject([{ path: ['slug'], message: 'is reserved' }]);
});
