import { frameOf } from './visit';

describe('the address of a picture', () => {
  const visit = { path: '/f/cups', language: 'en', filling: [], isEmbedded: false };
  const addressOf = (form?: object) => frameOf({ assets: {} } as never, { ...visit, form } as never).pictureAt('abc');

  it('names the form by its id, because the author may change the slug while the page is open', () => {
    expect(addressOf({ id: 'form-1', title: 'Cups', settings: {} })).toBe('/f/form-1/pictures/abc');
    expect(addressOf()).toBe('/f/cups/pictures/abc');
  });
});
