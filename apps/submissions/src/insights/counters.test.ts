import { countedKeys, countersOf, partsOf, rankIn, withAnswered } from './counters';

const keys = countedKeys(
  Buffer.from(
    JSON.stringify([
      { type: 'page', label: 'You' },
      { type: 'short_text', key: 'name', label: 'Name' },
      { type: 'select', key: 'colour', label: 'Colour' },
      { type: 'multi_select', key: 'sizes', label: 'Sizes' },
      { type: 'boolean', key: 'agreed', label: 'Agreed' },
      { type: 'integer', key: 'age', label: 'Age' },
      { type: 'number', key: 'weight', label: 'Weight' },
      { type: 'ranking', key: 'cities', label: 'Cities' },
      { type: 'matrix', key: 'looks', label: 'Looks' },
    ]),
  ),
);
const submission = { status: 'new', quarter: 7, version: '3' };

it('counts options and numbers by value, and only whether other fields are answered', () => {
  const answers = { name: 'Ada', colour: 'red=blue', sizes: ['S', 'L'], agreed: false, age: 36, weight: 70.25 };
  const counters = countersOf({ ...submission, answers }, keys);
  expect(counters).toEqual([
    's=new',
    'q=7',
    'v=3',
    'aname=',
    'ocolour=red=blue',
    'osizes=S',
    'osizes=L',
    'oagreed=false',
    'wage=36e0',
    'nweight=70e0',
    'dweight=2e-1',
    'dweight=5e-2',
  ]);
  expect(withAnswered(counters).slice(counters.length)).toEqual(['acolour=', 'asizes=', 'aagreed=', 'aage=', 'aweight=']);
});

it('counts the digits of numbers that their ranges leave out', () => {
  const counters = countersOf({ ...submission, answers: { age: 365, weight: 70.25 } }, keys);
  expect(counters.slice(3)).toEqual(['wage=36e1', 'dage=5e0', 'nweight=70e0', 'dweight=2e-1', 'dweight=5e-2']);
});

it('counts the options of a ranking by their ranks, and that it is answered', () => {
  const counters = countersOf({ ...submission, answers: { cities: ['New York', 'a=b'] } }, keys);
  expect(counters.slice(3)).toEqual(['acities=', 'rcities=1 New York', 'rcities=2 a=b']);
  expect(withAnswered(counters)).toEqual(counters);
  expect(counters.slice(4).map((counter) => rankIn(partsOf(counter).item))).toEqual([
    { rank: 1, value: 'New York' },
    { rank: 2, value: 'a=b' },
  ]);
});

it('counts the columns of a matrix by their rows, the first of a row apart, and that it is answered', () => {
  const counters = countersOf(
    { ...submission, answers: { looks: { 'a=b': 'good', front: ['bad', 'good'], back: [], __proto__: 'bad' } } },
    keys,
  );
  expect(counters.slice(3)).toEqual(['alooks=', 'mlooks=["a=b","good"]', 'mlooks=["front","bad"]', 'xlooks=["front","good"]']);
  expect(withAnswered(counters)).toEqual(counters);
  for (const answer of [null, 'bad', 7])
    expect(countersOf({ ...submission, answers: { looks: answer } }, keys).slice(3)).toEqual(['alooks=']);
});

it('counts no answers as long as the fields are unknown', () => {
  expect(countersOf({ ...submission, answers: { name: 'Ada' } }, undefined)).toEqual(['s=new', 'q=7', 'v=']);
});

describe('counts what the answers hid', () => {
  const car = { key: 'car', equals: 'yes' };
  const of = (...items: object[]) => countedKeys(Buffer.from(JSON.stringify(items)));
  const hiddenIn = (answers: Record<string, unknown>, counted: ReturnType<typeof countedKeys>) =>
    countersOf({ ...submission, answers }, counted).filter((counter) => /^[vh]/.test(counter));

  it('by the condition of a question, or of the page or section around it', () => {
    const counted = of(
      { type: 'select', key: 'car', label: 'A car?' },
      { type: 'short_text', key: 'brand', label: 'Brand', visible_if: car },
      { type: 'page', key: 'trips', label: 'Trips', visible_if: car },
      { type: 'integer', key: 'trips_made', label: 'How many' },
      { type: 'page', label: 'End' },
      { type: 'short_text', key: 'name', label: 'Name' },
    );
    expect(hiddenIn({ car: 'no' }, counted)).toEqual(['v=3', 'hbrand=', 'htrips_made=']);
    expect(hiddenIn({ car: 'yes' }, counted)).toEqual(['v=3']);
  });

  it('by the conditions of all of its options', () => {
    const options = [{ value: 'garage', label: 'Garage', visible_if: car }];
    const counted = of({ type: 'select', key: 'car', label: 'A car?' }, { type: 'select', key: 'place', label: 'Where', options });
    expect(hiddenIn({}, counted)).toEqual(['v=3', 'hplace=']);
    expect(hiddenIn({ car: 'yes' }, counted)).toEqual(['v=3']);
  });

  it('but no question with an answer, as of an import', () => {
    const counted = of(
      { type: 'select', key: 'car', label: 'A car?' },
      { type: 'short_text', key: 'brand', label: 'Brand', visible_if: car },
    );
    expect(hiddenIn({ brand: 'Saab' }, counted)).toEqual(['v=3']);
  });

  it('and not even the version, if a later release made the condition or an earlier one stored the version', () => {
    const later = { key: 'car', sounds_like: 'yes' };
    expect(hiddenIn({}, of({ type: 'short_text', key: 'brand', label: 'Brand', visible_if: later }))).toEqual(['v=later']);
    expect(countersOf({ ...submission, answers: { name: 'Ada' } }, { ...keys, questions: undefined })).toEqual([
      ...['s=new', 'q=7', 'v=', 'aname='],
    ]);
  });

  it('from the facts that decide, without texts', () => {
    expect(of({ type: 'short_text', key: 'name', label: 'Name', help: 'Your own' }).questions).toEqual({
      keys: ['name'],
      conditional: undefined,
    });
    const { conditional } = of(
      { type: 'short_text', key: 'car', label: 'A car?', help: 'Any' },
      { type: 'statement', label: 'Thanks', visible_if: car },
    ).questions;
    expect(conditional).toEqual([
      { type: 'short_text', key: 'car' },
      { type: 'statement', visible_if: car },
    ]);
  });
});
