import { render } from './render';
import { itemsOf, questions, shownItem } from './sample-views';
import type { Frame } from './view';

const items = itemsOf({ key: 'name', type: 'short_text', label: 'Name?', translations: { ar: { label: 'الاسم؟' } } });

const page = (languages: Pick<Frame, 'language' | 'authorLanguage'>) =>
  render({ ...questions({ items: items.map((item) => shownItem(item)) }), ...languages });

describe('A page in a language', () => {
  it('has the direction of our words, and a translated label needs no language of its own', () => {
    const html = page({ language: 'ar', authorLanguage: 'en' });
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<bdi dir="rtl">الاسم؟</bdi>');
  });

  it('names the language and direction of a label that is not translated', () => {
    expect(page({ language: 'he', authorLanguage: 'en' })).toContain('<bdi dir="ltr" lang="en">Name?</bdi>');
  });

  it('guesses neither language nor direction where the author has not said theirs', () => {
    expect(page({ language: 'en', authorLanguage: '' })).toContain('<bdi dir="auto" lang="">Name?</bdi>');
  });

  it('is in English with the author’s texts in theirs, where we have no words', () => {
    const html = page({ language: 'sv', authorLanguage: 'sv' });
    expect(html).toContain('<html lang="en" dir="ltr">');
    expect(html).toContain('<bdi dir="ltr" lang="sv">Name?</bdi>');
  });
});
