import { copyTitle } from './duplicate-form';

describe('the title of a copy', () => {
  it('contains the original title', () => {
    expect(copyTitle('Site visit')).toBe('Copy of Site visit');
  });

  it('is truncated to the maximum length', () => {
    expect(copyTitle('x'.repeat(200))).toBe(`Copy of ${'x'.repeat(192)}`);
  });

  it('is never truncated within a character', () => {
    expect(copyTitle(`${'x'.repeat(191)}😀😀 and more`)).toBe(`Copy of ${'x'.repeat(191)}😀`);
  });

  it('does not end in white space', () => {
    expect(copyTitle(`${'x'.repeat(191)} and more`)).toBe(`Copy of ${'x'.repeat(191)}`);
  });
});
