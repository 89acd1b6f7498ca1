import type { FormItem } from '@sheaf/contracts';
import { stepsOf } from '@sheaf/form-view';
import type { Entered } from './entered';
import type { Place } from './outcome';
import { begun, further } from './progress';
import type { Deps, FormVisit } from './visit';

const field = (key: string): FormItem => ({ key, label: key, type: 'short_text', required: false });
const page: FormItem = { type: 'page', label: 'Next' };

function visiting(...items: FormItem[]) {
  const told: object[] = [];
  const countStep = (_: unknown, { reached, from }: { reached: number; from?: number }) => {
    told.push({ reached, from });
    return Promise.reject(new Error('submissions is down'));
  };
  const deps = { submissions: { countStep } } as unknown as Deps;
  const visit = { form: { id: 'f', version: 2, steps: stepsOf(items) }, asked: { call: {} } } as unknown as FormVisit;
  const at = (step: Place['step'], furthest?: number): Place => ({
    ...{ status: 200, step, findings: {} },
    entered: { furthest } as unknown as Entered,
  });
  return {
    told,
    begin: (first: number) => begun(deps, visit, first),
    go: (from: Place['step'], place: Place) => further(deps, visit, from, place),
    at,
  };
}

const three = [field('a'), page, field('b'), page, field('c')];

it('each step is told once, when the respondent first gets beyond all before it, and the page that follows carries how far that is', () => {
  const { told, begin, go, at } = visiting(...three);
  begin(0);
  const carried = [go(0, at(1)), go(1, at(0, 1)), go(0, at(1, 1)), go(1, at('check', 1)), go('check', at(2, 3))];
  expect(carried.map(({ entered }) => entered.furthest)).toEqual([1, 1, 1, 3, 3]);
  expect(told).toEqual([{ reached: 0 }, { reached: 1, from: 0 }, { reached: 3, from: 1 }]);
});

it('nothing is told of a form with a single page', () => {
  const { told, begin, go, at } = visiting(field('a'));
  begin(0);
  go(0, at('check'));
  expect(told).toEqual([]);
});
