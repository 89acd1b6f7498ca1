import { setImmediate } from 'node:timers/promises';
import { collectGarbage } from './start-garbage';

it('frees objects that nothing refers to any more', async () => {
  const garbage = new WeakRef({});
  // A WeakRef keeps its object until the end of the turn in which it was created.
  await setImmediate();
  collectGarbage();
  expect(garbage.deref()).toBeUndefined();
});
