import { drawingFault } from './drawing';
import { aPng } from './drawings';
import { deflateSync } from 'node:zlib';

const white = () => [255, 255, 255, 255];
const withDot = (x: number, y: number) => (x === 3 && y === 2 ? [0, 0, 0, 255] : white());

it.each([0, 1, 2, 3, 4])(
  'a picture with something drawn on it is one, with its rows written as differences of the kind %d',
  async (filter) => {
    expect(await drawingFault(aPng({ width: 8, height: 4, filter, pixel: withDot }))).toBeUndefined();
    expect(await drawingFault(aPng({ width: 8, height: 4, filter, pixel: white }))).toMatchObject({ code: 'drawing_empty' });
  },
);

it('a picture whose differences nobody can see is empty', async () => {
  const clear = aPng({ width: 8, height: 4, pixel: (x, y) => [x, y, 7, 0] });
  expect(await drawingFault(clear)).toMatchObject({ code: 'drawing_empty' });
  expect(await drawingFault(aPng({ width: 8, height: 4, pixel: (x, y) => (x + y === 0 ? [9, 9, 9, 1] : [x, y, 7, 0]) }))).toBeUndefined();
});

it.each([
  ['2,000 × 1 pixels', 2_000, 1, 'drawing_empty'],
  ['1 × 1,000 pixels', 1, 1_000, 'drawing_empty'],
  ['2,001 × 1 pixels', 2_001, 1, 'drawing_too_large'],
  ['1 × 1,001 pixels', 1, 1_001, 'drawing_too_large'],
])('a picture of %s is judged by its size before its pixels', async (_, width, height, code) => {
  expect(await drawingFault(aPng({ width, height, pixel: white }))).toMatchObject({ code });
});

const whole = aPng({ width: 8, height: 4, pixel: withDot });

it.each<[string, Buffer]>([
  ['another format', Buffer.from('GIF89a')],
  ['the beginning alone', whole.subarray(0, 60)],
  ['no end', whole.subarray(0, -12)],
  ['no pixels', aPng({ width: 8, height: 4, pixel: withDot, packed: Buffer.alloc(0) })],
  ['fewer rows than it says', aPng({ width: 8, height: 4, says: { height: 5 }, pixel: withDot })],
  ['more rows than it says', aPng({ width: 8, height: 4, says: { height: 3 }, pixel: withDot })],
  ['no width', aPng({ width: 8, height: 4, says: { width: 0 }, pixel: withDot })],
  ['unknown colours', aPng({ width: 8, height: 4, says: { colors: 5 }, pixel: withDot })],
  ['an unknown depth', aPng({ width: 8, height: 4, says: { bitDepth: 3 }, pixel: withDot })],
  ['16 bits for a colour', aPng({ width: 4, height: 4, says: { bitDepth: 16 }, pixel: white, packed: deflateSync(Buffer.alloc(4 * 33)) })],
  ['a palette', aPng({ width: 4, height: 4, says: { colors: 3 }, pixel: white, packed: deflateSync(Buffer.alloc(4 * 5)) })],
  ['a row that is written in no known way', aPng({ width: 8, height: 4, filter: 5, pixel: withDot })],
  ['wrong sums', aPng({ width: 8, height: 4, sum: 1, pixel: withDot })],
  ['interlaced rows', aPng({ width: 8, height: 4, says: { interlace: 1 }, pixel: withDot })],
])('a picture with %s is none', async (_, bytes) => {
  expect(await drawingFault(bytes)).toMatchObject({ code: 'not_drawing' });
});

it.each([
  ['shades', 0, 1],
  ['colours', 2, 3],
  ['shades with opacity', 4, 2],
])('a picture in %s is looked at as well', async (_, colors, pixelBytes) => {
  const rows = Buffer.alloc(4 * (8 * pixelBytes + 1));
  const of = () => aPng({ width: 8, height: 4, says: { colors }, pixel: white, packed: deflateSync(rows) });
  expect(await drawingFault(of())).toMatchObject({ code: 'drawing_empty' });
  rows[rows.length - 1] = 9;
  expect(await drawingFault(of())).toBeUndefined();
});

it('pictures that arrive together are looked at one after the other, and let other work go on', async () => {
  const blank = aPng({
    width: 1,
    height: 1,
    says: { width: 2_000, height: 1_000 },
    pixel: white,
    packed: deflateSync(Buffer.alloc(1_000 * 8_001)),
  });
  const log: string[] = [];
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const large = drawingFault(blank).then((fault) => log.push(`large ${fault?.code}`));
  await Promise.all([large, drawingFault(whole).then(() => log.push('small'))]);
  clearImmediate(timer);
  expect(log).toEqual(['large drawing_empty', 'small']);
  expect(turns).toBeGreaterThan(50);
});
