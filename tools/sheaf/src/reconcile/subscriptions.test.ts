import type { Answer } from '../app-command';
import { Findings } from './findings';
import { checkSubscriptions } from './subscriptions';

const before = new Date('2026-11-26T12:00:00Z');
// Older than the moment, and younger.
const old = '0197f0c2-0000-7000-8000-00000000000';
const young = 'ffffffff-0000-7000-8000-000000000000';

const held = (id: string, more: object = {}) => ({
  id,
  form_id: null,
  workspace_id: null,
  active: true,
  revision: 1,
  waiting: false,
  ...more,
});
const copy = (id: string, more: object = {}) => ({ id, state: 'active', revision: 1, waiting: false, ...more });
type Held = ReturnType<typeof held>;
type Copy = ReturnType<typeof copy>;

/** The answers of the services, at first and when they are asked again. */
interface Asked {
  hooks: Held[];
  delivery: Copy[];
  again?: { before?: Held[]; delivery?: Copy[]; after?: Held[]; waiting?: string[] };
}

async function check({ hooks, delivery, again = {} }: Asked, { pageSize = 2, repair = false } = {}) {
  const findings = new Findings();
  const told: string[] = [];
  let asked = 0;
  const rows: Record<string, () => readonly { id: string }[]> = {
    'list-subscriptions': () => hooks,
    'list-copies': () => delivery,
    'list-subscriptions-among': () => ((asked += 1) % 2 === 1 ? (again.before ?? hooks) : (again.after ?? hooks)),
    'list-copies-among': () => again.delivery ?? delivery,
  };
  const runCommand = (_: string, [command = '', after = '']: readonly string[], stdin?: string): Promise<Answer> => {
    const ids = stdin === undefined ? [] : (JSON.parse(stdin) as string[]);
    if (command === 'tell-subscriptions') told.push(...ids);
    const all = rows[command]?.() ?? [];
    const page =
      stdin === undefined
        ? all.filter(({ id }) => id > after.slice('--after='.length)).slice(0, pageSize)
        : all.filter(({ id }) => ids.includes(id));
    return Promise.resolve({ subscriptions: page, waiting: again.waiting ?? [], told: ids.length });
  };
  const { webhooks } = await checkSubscriptions({ context: { runCommand }, before, repair, pageSize, progress: () => undefined }, findings);
  return { webhooks, told, found: findings.list().map(({ kind, ids, mended }) => ({ kind, ids, mended })) };
}

it('finds nothing where both agree, though an earlier change is still to be heard of or one was removed', async () => {
  const ids = Array.from({ length: 7 }, (_, at) => `${old}${at}`);
  const agreeing = {
    hooks: ids.map((id) => held(id, { revision: 2 })),
    delivery: [...ids.map((id) => copy(id)), copy(`${old}9`, { state: 'deleted' })],
  };
  await expect(check(agreeing)).resolves.toEqual({ webhooks: 7, told: [], found: [] });
});

it.each<[string, Asked]>([
  ['one that was made after the moment', { hooks: [held(young)], delivery: [] }],
  ['one whose change waits in the outbox', { hooks: [held(`${old}1`)], delivery: [], again: { waiting: [`${old}1`] } }],
  ['one that was made between the readings', { hooks: [], delivery: [copy(`${old}1`)], again: { after: [held(`${old}1`)] } }],
  ['one that was removed between the readings', { hooks: [held(`${old}1`)], delivery: [], again: { after: [] } }],
  [
    'one that was switched off between them',
    {
      hooks: [held(`${old}1`)],
      delivery: [copy(`${old}1`, { state: 'inactive', revision: 2 })],
      again: { after: [held(`${old}1`, { active: false, revision: 2 })] },
    },
  ],
  ['one of which hooks is being told', { hooks: [held(`${old}1`)], delivery: [copy(`${old}1`, { state: 'inactive', waiting: true })] }],
])('does not take for a loss %s', async (_, asked) => {
  await expect(check(asked)).resolves.toMatchObject({ found: [] });
});

it.each<[string, Asked]>([
  ['subscription_untold', { hooks: [held(`${old}1`)], delivery: [] }],
  ['subscription_untold', { hooks: [held(`${old}1`, { active: false, revision: 2 })], delivery: [copy(`${old}1`)] }],
  ['subscription_lost', { hooks: [], delivery: [copy(`${old}1`)] }],
  ['subscription_behind', { hooks: [held(`${old}1`)], delivery: [copy(`${old}1`, { state: 'inactive', revision: 3 })] }],
  ['subscription_behind', { hooks: [held(`${old}1`)], delivery: [copy(`${old}1`, { state: 'deleted', revision: 2 })] }],
  ['subscription_unheard', { hooks: [held(`${old}1`)], delivery: [copy(`${old}1`, { state: 'inactive' })] }],
])('finds %s', async (kind, asked) => {
  await expect(check(asked)).resolves.toMatchObject({ told: [], found: [{ kind, ids: [`${old}1`], mended: 0 }] });
});

it('tells delivery of the untold ones only if it is to repair', async () => {
  const asked = { hooks: [held(`${old}1`), held(`${old}2`)], delivery: [copy(`${old}3`)] };
  await expect(check(asked, { repair: true })).resolves.toMatchObject({
    told: [`${old}1`, `${old}2`],
    found: [
      { kind: 'subscription_untold', mended: 2 },
      { kind: 'subscription_lost', mended: 0 },
    ],
  });
});
