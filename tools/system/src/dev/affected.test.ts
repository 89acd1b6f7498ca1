import { affectedBy } from './affected';

const built = {
  forms: { inputs: new Set(['apps/forms/src/main.ts', 'libs/kernel/src/index.ts']), failed: false },
  hooks: { inputs: new Set(['apps/hooks/src/main.ts', 'libs/kernel/src/index.ts']), failed: false },
};

it('a file of an app affects that app, and a file of a library all apps that import it', () => {
  expect(affectedBy(['apps/forms/src/main.ts'], built)).toEqual(['forms']);
  expect(affectedBy(['libs/kernel/src/index.ts'], built)).toEqual(['forms', 'hooks']);
  expect(affectedBy(['libs/egress/src/index.ts', 'README.md'], built)).toEqual([]);
});

it('any source file can fix a failed build, but a test cannot', () => {
  const broken = { ...built, hooks: { ...built.hooks, failed: true } };
  expect(affectedBy(['libs/kernel/src/new.ts'], broken)).toEqual(['hooks']);
  expect(affectedBy(['apps/hooks/src/rules.test.ts'], broken)).toEqual([]);
});
