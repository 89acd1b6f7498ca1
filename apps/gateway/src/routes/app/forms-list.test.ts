import { FoundForms } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { HandlerContext } from '../../route';
import type { Services } from '../services';
import { formsList } from './forms-list';

const form = {
  id: 'f',
  title: 'Survey',
  status: 'active',
  current_version: 1,
  favorite: false,
  publish_mode: 'draft',
  created_at: '2026-03-04T16:05:12.000Z',
  updated_at: '2026-03-04T16:05:12.000Z',
  role: 'viewer',
};
const page = { forms: [{ form, workspace_id: 'w', unpublished_changes: false }], total: 1 };

/** The list, if `submissions` answers like this. */
const listed = async (summarizeForms: () => Promise<unknown>) => {
  const services = { forms: { findForms: () => Promise.resolve(page) }, submissions: { summarizeForms } } as unknown as Services;
  const [list] = formsList(services);
  return list?.handle({ call: { deadline: Date.now() + 10_000 }, query: {} } as HandlerContext<unknown, unknown>);
};

it.each([
  ['does not answer', () => Promise.reject(Problem.unavailable())],
  ['fails', () => Promise.reject(Problem.internal())],
  ['has no access to the form', () => Promise.resolve({ forms: [] })],
])('shows the forms without counts if submissions %s', async (_, summarizeForms) => {
  const list = FoundForms.parse(await listed(summarizeForms));
  expect(list).toMatchObject({ data: [{ id: 'f', submissions: null }], total: 1, next_cursor: null });
});

it('tells with each form when it is open and how many submissions it takes', async () => {
  const times = { opens_at: '2026-03-01T00:00:00.000Z', closes_at: '2026-04-01T00:00:00.000Z', max_submissions: 500 };
  const services = {
    forms: { findForms: () => Promise.resolve({ ...page, forms: [{ ...page.forms[0], form: { ...form, ...times } }] }) },
    submissions: { summarizeForms: () => Promise.resolve({ forms: [] }) },
  } as unknown as Services;
  const list = await formsList(services)[0]?.handle({ call: { deadline: Date.now() + 10_000 }, query: {} } as HandlerContext<
    unknown,
    unknown
  >);
  expect(FoundForms.parse(list)).toMatchObject({ data: [times] });
});

it('refuses what submissions refuses', async () => {
  await expect(listed(() => Promise.reject(Problem.forbidden('No.')))).rejects.toMatchObject({ code: 'forbidden' });
});
