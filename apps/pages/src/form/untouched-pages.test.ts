import { UntouchedPages } from './untouched-pages';

const first = { token: 'token-1', started: 'started-1', here: 'here-1' };
const second = { token: 'token-2', started: 'started-2', here: 'here-2' };

it('draws a page once and fills in the tokens of each request', () => {
  const pages = new UntouchedPages();
  const draw = jest.fn(({ token, started, here }: typeof first) => ({
    html: `<a>${token}</a><b>${started}:${token}</b>${here}`,
    step: 2,
  }));
  const shown = (tokens: typeof first) => {
    const { html, step } = pages.page('form', tokens, draw);
    return [html.toString(), step];
  };
  expect(shown(first)).toEqual(['<a>token-1</a><b>started-1:token-1</b>here-1', 2]);
  expect(shown(second)).toEqual(['<a>token-2</a><b>started-2:token-2</b>here-2', 2]);
  expect(draw).toHaveBeenCalledTimes(1);
});

it('draws a page again if anything that it depends on has changed', () => {
  const pages = new UntouchedPages();
  expect(pages.page('version 1', first, () => ({ html: 'one', step: 0 })).html.toString()).toBe('one');
  expect(pages.page('version 2', first, () => ({ html: 'two', step: 0 })).html.toString()).toBe('two');
});
