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
    ]),
  ),
);
const submission = { status: 'new', quarter: 7 };

it('counts options and numbers by value, and only whether other fields are answered', () => {
  const answers = { name: 'Ada', colour: 'red=blue', sizes: ['S', 'L'], agreed: false, age: 36, weight: 70.25 };
  const counters = countersOf({ ...submission, answers }, keys);
  expect(counters).toEqual([
    's=new',
    'q=7',
    'aname=',
    'ocolour=red=blue',
    'osizes=S',
    'osizes=L',
    'oagreed=false',
    'wage=36e0',
    'nweight=70e0',
  ]);
  expect(withAnswered(counters).slice(counters.length)).toEqual(['acolour=', 'asizes=', 'aagreed=', 'aage=', 'aweight=']);
});

it('counts the options of a ranking by their ranks, and that it is answered', () => {
  const counters = countersOf({ ...submission, answers: { cities: ['New York', 'a=b'] } }, keys);
  expect(counters.slice(2)).toEqual(['acities=', 'rcities=1 New York', 'rcities=2 a=b']);
  expect(withAnswered(counters)).toEqual(counters);
  expect(counters.slice(3).map((counter) => rankIn(partsOf(counter).item))).toEqual([
    { rank: 1, value: 'New York' },
    { rank: 2, value: 'a=b' },
  ]);
});

it('counts no answers as long as the fields are unknown', () => {
  expect(countersOf({ ...submission, answers: { name: 'Ada' } }, undefined)).toEqual(['s=new', 'q=7']);
});
