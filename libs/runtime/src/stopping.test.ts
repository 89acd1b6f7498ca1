import { closeInTurn } from './stopping';

let order: string[];
let finish: Record<string, () => void>;
beforeEach(() => {
  order = [];
  finish = {};
});

/** A part that closes when the test lets it. */
const part = (name: string, ...calls: string[]) => ({
  name,
  calls,
  close: async () => {
    order.push(`${name} begins`);
    await new Promise<void>((resolve) => (finish[name] = resolve));
    order.push(`${name} ends`);
  },
});
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('closes a part once all that call it have closed', async () => {
  const closed = closeInTurn([part('forms'), part('gateway', 'forms', 'pages'), part('pages', 'forms')], 3_600_000);
  for (const name of ['gateway', 'pages', 'forms']) {
    await nextTurn();
    finish[name]?.();
  }
  await closed;
  expect(order).toEqual(['gateway begins', 'gateway ends', 'pages begins', 'pages ends', 'forms begins', 'forms ends']);
});

it('begins with the next part after the turn of one that takes long, and waits for both', async () => {
  const closed = closeInTurn([part('gateway', 'forms'), part('forms')], 1);
  while (!finish.forms) await nextTurn();
  finish.forms();
  await nextTurn();
  expect(order).toEqual(['gateway begins', 'forms begins', 'forms ends']);
  finish.gateway?.();
  await closed;
  expect(order).toHaveLength(4);
});
