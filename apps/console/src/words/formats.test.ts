import { formatsOf, regionalTag } from './formats';

describe('The language in which numbers and times are written', () => {
  it('has the region of the browser', () => {
    expect(regionalTag('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
    expect(regionalTag('de', ['en-GB'])).toBe('de');
  });

  it('is one that can be written in where the system has no locale', () => {
    expect(formatsOf(regionalTag('en', ['en-US@posix'])).number(1234.5)).toBe('1,234.5');
  });
});
