import { isMeant } from './made-against';

const at = '2026-11-26T12:00:00.000Z';
const after = (ms: number) => new Date(Date.parse(at) + ms);

describe('a version that has the number is the one that answers were made against', () => {
  it.each([
    ['with the same id, whenever it was published', 'a', at, 'a', after(3_600_000), true],
    ['not with another id, even if it is older', 'a', at, 'b', after(-1), false],
    ['without an id of the answers: published up to a minute after them', undefined, at, 'b', after(60_000), true],
    ['without an id of the answers: not published later', null, at, 'b', after(60_001), false],
    ['without an id of the version: published up to a minute after the answers', 'a', at, undefined, after(60_000), true],
    ['without an id of the version: not published later', 'a', at, undefined, after(60_001), false],
    ['without an id, from a release that tells no time', undefined, at, undefined, undefined, true],
    ['without an id, for answers that are yet to be sent', undefined, undefined, 'b', after(60_001), true],
  ] as const)('%s', (_, versionId, madeAt, id, publishedAt, expected) => {
    expect(isMeant({ versionId, madeAt }, { id, publishedAt })).toBe(expected);
  });
});
