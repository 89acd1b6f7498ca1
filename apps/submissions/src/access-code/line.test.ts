import { refused } from '@sheaf/testing';
import { line } from './line';

const full = refused('unavailable');

/** Something that runs until it is told to end. */
function held() {
  let end: { resolve: (value: string) => void; reject: (why: Error) => void } | undefined;
  const promise = new Promise<string>((resolve, reject) => (end = { resolve, reject }));
  return { run: jest.fn(() => promise), resolve: (value: string) => end?.resolve(value), reject: (why: Error) => end?.reject(why) };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('runs so many side by side, the next in the order in which they came, and refuses who finds the line full', async () => {
  const inLine = line({ atATime: 2, waiting: 2 });
  const [a, b, c, d] = [held(), held(), held(), held()] as const;
  const all = [a, b, c, d].map(({ run }) => inLine(run).catch((thrown: unknown) => String(thrown)));
  const late = held();
  await expect(inLine(late.run)).rejects.toEqual(full);
  const begun = () => [a, b, c, d].map(({ run }) => run.mock.calls.length);
  expect(begun()).toEqual([1, 1, 0, 0]);
  b.reject(new Error('b failed'));
  await turn();
  expect(begun()).toEqual([1, 1, 1, 0]);
  a.resolve('a');
  await turn();
  expect(begun()).toEqual([1, 1, 1, 1]);
  c.resolve('c');
  d.resolve('d');
  expect(await Promise.all(all)).toEqual(['a', 'Error: b failed', 'c', 'd']);
  expect(late.run).not.toHaveBeenCalled();
  expect(await inLine(() => Promise.resolve('later'))).toBe('later');
});
