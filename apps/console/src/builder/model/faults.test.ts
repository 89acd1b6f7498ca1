import { contentsOf } from './contents';
import { faultsIn } from './faults';

const field = (key: string, type = 'short_text') => ({ key, label: key, type, required: false });
const faultsOf = (check: object, ...before: object[]) =>
  faultsIn(contentsOf({ fields: [...before, { type: 'check', if: { key: 'a', equals: 'x' }, message: 'No', at: 'a', ...check }] }));
const told = (check: object, ...before: object[]) =>
  [...faultsOf(check, ...before).values()].flat().map(({ part, code }) => `${part} ${code ?? ''}`);

describe('A check', () => {
  it('stands behind the fields that it names', () => {
    expect(told({}, field('a'))).toEqual([]);
    expect(told({ if: { key: 'b', equals: 'x' } }, field('a'))).toEqual(['if condition_later']);
    expect(told({ at: 'b' }, field('a'))).toEqual(['at at_later']);
  });

  it('has a message where people see it', () => {
    expect(told({ message: ' ' }, field('a'))).toEqual(['message blank']);
    expect(told({ at: 'b' }, field('a'), field('b', 'hidden'))).toEqual(['at at_later']);
  });
});
