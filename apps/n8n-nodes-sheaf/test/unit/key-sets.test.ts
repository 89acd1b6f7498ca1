import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeySets } from '../../dist/nodes/SheafTrigger/key-sets';

const minute = 60_000;

/** Published keys, which count how often they were fetched. */
function publisher() {
  const published = {
    kid: 'first',
    fetched: 0,
    fetch: () => {
      published.fetched += 1;
      return Promise.resolve({ keys: [{ kty: 'OKP', kid: published.kid }] });
    },
  };
  return published;
}

const by =
  (kid: string) =>
  (keys: object[]): boolean =>
    keys.some((key) => (key as { kid?: string }).kid === kid);

describe('the keys of an instance', () => {
  it('are fetched once an hour', async () => {
    const keySets = new KeySets();
    const published = publisher();
    for (const now of [0, 1, 59 * minute]) assert.equal(await keySets.accept('a', by('first'), { ...published, now }), true);
    assert.equal(published.fetched, 1);
    await keySets.accept('a', by('first'), { ...published, now: 60 * minute });
    assert.equal(published.fetched, 2);
  });

  it('are fetched again when none matches, at most once a minute', async () => {
    const keySets = new KeySets();
    const published = publisher();
    await keySets.accept('a', by('first'), { ...published, now: 0 });
    for (const now of [1, minute - 1]) assert.equal(await keySets.accept('a', by('forged'), { ...published, now }), false);
    assert.equal(published.fetched, 1);

    published.kid = 'second';
    assert.equal(await keySets.accept('a', by('second'), { ...published, now: minute }), true);
    assert.equal(published.fetched, 2);
  });

  it('are kept apart from those of other instances', async () => {
    const keySets = new KeySets();
    const published = publisher();
    await keySets.accept('a', by('first'), { ...published, now: 0 });
    await keySets.accept('b', by('first'), { ...published, now: 0 });
    assert.equal(published.fetched, 2);
  });

  it('that cannot be fetched are an error, not a wrong signature', async () => {
    const failing = { fetch: () => Promise.reject(new Error('unreachable')), now: 0 };
    await assert.rejects(new KeySets().accept('a', by('first'), failing), /unreachable/);
  });
});
