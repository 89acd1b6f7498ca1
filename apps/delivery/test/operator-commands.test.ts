import { newId } from '@sheaf/kernel';
import { commandsOn, commandsOnFreshDatabase, refused, wrongUsage } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { operatorCommands } from '../src/operator-commands';
import { startService } from './support/service';

// The commands that the operator's tool runs, up to their answer. apps/e2e runs some of them in processes of their own.

const run = commandsOnFreshDatabase(operatorCommands, migrations);

it('list-deliveries answers with a page', async () =>
  expect(await run('list-deliveries', '--limit=1')).toEqual({ data: [], limit: 1, offset: 0, more: false }));

it('list-attempts answers with a page', async () =>
  expect(await run('list-attempts', `--form=${newId()}`, '--from=2026-01-01T00:00:00Z')).toEqual({
    data: [],
    next_cursor: expect.any(String) as string,
    as_of: expect.any(String) as string,
  }));

it.each([
  [['list-attempts', '--form=nonsense'], '--form: must be the id of a form'],
  [['list-deliveries', '--from=yesterday'], '--from: must be an RFC 3339 date-time with an offset'],
  [['list-deliveries', '--state=lost'], '--state: must be one of'],
  [['redeliver'], '--from: is required without --id'],
  [['redeliver', `--id=${newId()}`, `--form=${newId()}`], '--id: cannot be combined with --form, --from or --to'],
  [['redeliver', '--from=2026-01-01T00:00:00Z', '--to=2026-03-01T00:00:00Z'], '--to: must be at most 31 days after from'],
  [['explain', '--id=nonsense'], '--id: must be the id of a submission, of an event or of a batch'],
])('%j is wrong usage, and the message names the option', async ([name = '', ...args], message) =>
  expect(run(name, ...args)).rejects.toEqual(wrongUsage(message)),
);

it.each([
  [['show-delivery', '--id=nonsense'], 'There is no such delivery'],
  [['show-delivery', `--id=${newId()}`], 'There is no such delivery'],
  [['redeliver', `--id=${newId()}`], 'There is no such delivery'],
  [
    ['redeliver', `--form=${newId()}`, '--from=2026-01-01T00:00:00Z', '--to=2026-01-02T00:00:00Z'],
    'This form has never had a subscription',
  ],
])('%j is refused', async ([name = '', ...args], message) =>
  expect(run(name, ...args)).rejects.toEqual(refused('not_found', new RegExp(message))),
);

describe('of a form whose only delivery has succeeded,', () => {
  let form: string;
  let host: string;
  let ofService: ReturnType<typeof commandsOn>;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const service = await startService();
    stop = () => service.stop();
    ofService = commandsOn(operatorCommands, () => service.databaseUrl);
    const subscription = service.subscription();
    form = subscription.form_id;
    ({ host } = new URL(subscription.url));
    await service.planEvents(subscription);
    await service.markQuick(subscription);
    await service.run();
  });
  afterAll(() => stop());

  it.each([
    ['its own', () => host, 1],
    ['its own in capitals', () => host.toUpperCase(), 1],
    ['another', () => 'other.example', 0],
  ])('list-deliveries with the host that is %s finds what went there alone', async (_which, given, count) => {
    const { data } = await ofService('list-deliveries', `--form=${form}`, `--host=${given()}`);
    expect(data).toHaveLength(count);
  });

  it('redeliver sends what has failed, which is nothing, unless it is told the state', async () => {
    const hour = 3_600_000;
    const range = [`--from=${new Date(Date.now() - hour).toISOString()}`, `--to=${new Date(Date.now() + hour).toISOString()}`];
    const counted = async (...more: string[]) => (await ofService('redeliver', `--form=${form}`, ...range, ...more)).redelivered;
    expect([await counted(), await counted('--state=succeeded')]).toEqual([0, 1]);
  });
});
