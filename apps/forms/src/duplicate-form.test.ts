import { copyOf } from './duplicate-form';

describe('the title of a copy', () => {
  it('says what it is a copy of', () => {
    expect(copyOf('Site visit')).toBe('Copy of Site visit');
  });

  it('is cut to what a title may have', () => {
    expect(copyOf('x'.repeat(200))).toBe(`Copy of ${'x'.repeat(192)}`);
  });

  it('is not cut in the middle of a character', () => {
    expect(copyOf(`${'x'.repeat(191)}😀😀 and more`)).toBe(`Copy of ${'x'.repeat(191)}😀`);
  });

  it('does not end in white space', () => {
    expect(copyOf(`${'x'.repeat(191)} and more`)).toBe(`Copy of ${'x'.repeat(191)}`);
  });
});
