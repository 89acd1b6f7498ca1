import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileName } from '../../dist/nodes/Sheaf/file';

for (const [header, name] of [
  [`attachment; filename="plan.pdf"`, 'plan.pdf'],
  ['attachment; filename=plan.pdf', 'plan.pdf'],
  [`attachment; filename="a \\"b\\".pdf"`, 'a "b".pdf'],
  [`attachment; filename="_.pdf"; filename*=UTF-8''%C3%BC.pdf`, 'ü.pdf'],
  ['attachment', undefined],
  [undefined, undefined],
] as const) {
  it(`the name of a file in ${header} is ${name}`, () => assert.equal(fileName(header), name));
}
