import { render } from './render';
import { frame, itemsOf, message, question, questions, shownItem } from './sample-views';
import { wordLanguages, wordsOf } from './words/languages';
import { directionOf } from './words/tags';

const rootOf = (html: string) => /<html[^>]*>/.exec(html)?.[0];

describe('The language of a page', () => {
  it.each(wordLanguages)('is that of its words, with their direction (%s)', (language) => {
    const html = render(questions({ language }));
    expect(rootOf(html)).toBe(`<html lang="${language}" dir="${directionOf(language)}">`);
    expect(html).toContain(`value="send" name="do">${wordsOf(language).send}</button>`);
  });

  it('keeps its region', () => expect(rootOf(render(questions({ language: 'pt-BR' })))).toBe('<html lang="pt-BR" dir="ltr">'));

  it('is English where we have no words, and the texts of the author say their own', () => {
    const html = render(question({ type: 'date', label: 'Päivä' }, {}, { language: 'fi', authorLanguage: 'fi' }));
    expect(rootOf(html)).toBe('<html lang="en" dir="ltr">');
    expect(html).toContain('<bdi dir="ltr" lang="fi">Päivä</bdi>');
  });
});

describe('A text of the author', () => {
  const item = { type: 'select', label: 'Kind', help: 'Which one?', placeholder: 'x' };
  const options = [{ value: 'a', label: 'First' }];

  it('is shown in the language of the page', () => {
    const translations = { ar: { label: 'نوع', help: 'أيهما؟', options: { a: 'أول' } } };
    const html = render(question({ ...item, options, translations }, {}, { language: 'ar' }));
    expect(html).toContain('<bdi dir="rtl">نوع</bdi>');
    expect(html).toContain('<div class="written" dir="rtl"><p>أيهما؟</p></div>');
    expect(html).toContain('<bdi dir="rtl">أول</bdi>');
  });

  it('says its own language where it is not translated', () => {
    const html = render(question({ ...item, options }, {}, { language: 'ar' }));
    expect(html).toContain('<bdi dir="ltr" lang="en">Kind</bdi>');
    expect(html).toContain('<div class="written" lang="en" dir="ltr"><p>Which one?</p></div>');
    expect(html).toContain('<bdi dir="ltr" lang="en">First</bdi>');
  });

  it('says its own language in a list box, too', () => {
    const many = 'a b c d e f g h'.split(' ').map((value) => ({ value, label: value }));
    expect(render(question({ ...item, options: many }, {}, { language: 'de' }))).toContain('<option value="a" lang="en">a</option>');
  });

  it('of the form is translated as well', () => {
    const translations = { de: { title: 'Besuch', closed_message: 'Zu.' } };
    const form = { title: 'Visit', settings: { translations } };
    expect(render(questions({ form, language: 'de' }))).toContain('<title>Besuch</title>');
    const closed = { name: 'closed', because: 'full', opensAt: undefined, closesAt: undefined, text: 'Shut.', unsent: undefined } as const;
    expect(render(message(closed, { ...frame, form, language: 'de' }))).toContain('<p>Zu.</p>');
  });
});

test('Numbers and addresses are typed from left to right on a page that reads from right to left', () => {
  const items = itemsOf(...['email', 'url', 'phone', 'number', 'integer'].map((type) => ({ key: type, type })));
  const html = render(questions({ language: 'he', items: items.map((item, index) => shownItem(item, index)) }));
  expect(html.match(/<input [^>]*dir="ltr"[^>]*name="a\./g)).toHaveLength(5);
});
