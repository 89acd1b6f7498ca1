import { Tallies } from './tally';

it('adds tallies of the same minutes up, whose sums are larger than a number can tell', () => {
  const tallies = new Tallies();
  tallies.add([
    [1, 2, '9007199254740993'],
    [2, 1, '5'],
  ]);
  tallies.add([[1, 1, '1']]);
  expect(tallies.list()).toEqual([
    [1, 3, '9007199254740994'],
    [2, 1, '5'],
  ]);
});
