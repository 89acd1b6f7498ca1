import { offeredItem, removedOptions } from '../filling/offered';
import { tagsOf, textWithId } from '../markup';
import { render } from '../render';
import { access, check, frame, itemsOf, message, question, questions, receipt, saved, shownItem } from '../sample-views';
import type { ShownAnswer } from '../view';

/** The text of a page, without its markup. */
const textOf = (html: string): string =>
  html
    .replace(/<head>.*<\/head>/, '')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#x27;', "'");
const buttonsOf = (html: string) => tagsOf(html, 'button').map(({ value }) => value);
const titleOf = (html: string) => /<title>(.*)<\/title>/.exec(html)?.[1];
const fault = (key: string) => ({ key, code: 'required', params: {}, message: 'is required' });

describe('A page with questions', () => {
  const page = itemsOf({ type: 'page', label: 'About you', help: 'Who you are.' })[0];

  it('is named after the form, or after its step and the form', () => {
    expect(titleOf(render(questions()))).toBe('Site visit');
    const html = render(questions({ step: { number: 2, of: 3, page } }));
    expect(titleOf(html)).toBe('About you – Site visit');
    expect(textOf(html)).toMatch(/Site visit About you Step 2 of 3 .*Who you are\./);
  });

  it('begins with the description of the form', () => {
    const form = { title: 'Site visit', settings: { description: 'One.\ntwo\n\n\nThree <b>.' } };
    expect(render(questions({ form }))).toContain('<p>One.<br/>two</p><p>Three &lt;b&gt;.</p>');
    expect(render(questions({ form, step: { number: 2, of: 2, page } }))).not.toContain('Three');
  });

  it('shows emphasis, links and lists in longer texts, and says of a link that it opens a new window', () => {
    const help = 'Read *this* and **[the rules](https://example.org/rules)**:\n- one\n- two\n\n[Call](tel:+431234)';
    const html = render(question({ type: 'short_text', help }, {}, { language: 'de' }));
    expect(html).toContain(
      '<p>Read <em>this</em> and <strong><a href="https://example.org/rules" target="_blank" rel="noopener">the rules' +
        ' <bdi class="opens" lang="de" dir="ltr">(öffnet ein neues Fenster)</bdi></a></strong>:</p><ul><li><p>one</p></li><li><p>two</p></li></ul>' +
        '<p><a href="tel:+431234" rel="noopener">Call</a></p>',
    );
  });

  it('shows the link of a consent in its label, and the label without marks in sentences', () => {
    const consent = { type: 'boolean', required: true, must_be_true: true, label: 'I accept the [*rules*](https://example.org)\nof 2026' };
    const html = render(question(consent, {}, { faults: [{ key: 'answer', code: 'required', params: {}, message: '' }] }));
    expect(html).toContain('<a href="https://example.org" target="_blank" rel="noopener"><em>rules</em>');
    expect(html).toContain('</a><br/>of 2026</bdi>');
    expect(html).toMatch(/<a href="#f-answer">I accept the rules\nof 2026: /);
  });

  it('keeps the line breaks of a label, and shows the marks of a question as they are', () => {
    expect(render(question({ type: 'short_text', label: 'What is\n5*3*2 or *x*?' }))).toContain(
      '<bdi dir="ltr">What is<br/>5*3*2 or *x*?</bdi>',
    );
  });

  it('has sections as headings, and statements as text', () => {
    const items = itemsOf({ type: 'section', label: 'Where', help: 'The place.' }, { type: 'statement', label: 'Note', help: 'Helmets.' });
    const html = render(questions({ items: items.map((item, index) => shownItem(item, index)) }));
    expect(html).toMatch(
      /id="i-0" data-type="section"><h2><bdi dir="ltr">Where<\/bdi><\/h2><div class="written" dir="ltr"><p>The place\.<\/p>/,
    );
    expect(html).toMatch(
      /id="i-1" data-type="statement"><div class="label written" dir="ltr"><p>Note<\/p><\/div><div class="written" dir="ltr"><p>Helmets\./,
    );
  });

  it('carries what travels with it, and which items it showed', () => {
    const items = itemsOf({ key: 'a', type: 'date' }, { key: 'b', type: 'date' }, { key: 'c', type: 'date' });
    const html = render(
      questions({
        hidden: [['a.earlier', '<1>']],
        items: items.map((item, index) => shownItem(item, index + 5, { isShown: index !== 1 })),
      }),
    );
    const hidden = tagsOf(html, 'input').filter(({ type }) => type === 'hidden');
    expect(hidden.map(({ name, value }) => [name, value])).toEqual([
      ['a.earlier', '<1>'],
      ['shown', '5 7'],
    ]);
  });

  it('gives the script the earlier answers that its conditions need, and no others', () => {
    const items = itemsOf({ key: 'b', type: 'date', visible_if: { key: 'a', answered: true } });
    const html = render(questions({ items: items.map((item) => shownItem(item)), earlier: { a: true, secret: 1 } }));
    expect(tagsOf(html, 'form')[0]?.['data-earlier']).toBe('{"a":true}');
  });

  it('loads the script for conditions after that of all pages, and only if it has any', () => {
    const scripts = (visible_if?: object) => {
      const items = itemsOf({ key: 'b', type: 'date', visible_if });
      return tagsOf(render(questions({ items: items.map((item) => shownItem(item)) })), 'script').map(({ src }) => src);
    };
    expect(scripts()).toEqual(['/assets/page.js']);
    expect(scripts({ not: { key: 'a', answered: true } })).toEqual(['/assets/page.js', '/assets/conditions.js']);
  });

  it.each<[object, boolean | undefined, string]>([
    [{ required: true }, undefined, 'B'],
    [{ required: false }, undefined, 'B (optional)'],
    [{ required: true, required_if: { key: 'a', answered: true } }, false, 'B (optional)'],
  ])('says of a field with %j whether it may stay unanswered', (more, isRequired, label) => {
    const items = itemsOf({ key: 'b', type: 'short_text', label: 'B', ...more }).map((item) => shownItem(item, 0, { isRequired }));
    expect(textOf(/<label class="label".*?<\/label>/s.exec(render(questions({ items })))?.[0] ?? '').trim()).toBe(label);
  });

  it('has the options that earlier answers offer, and those that depend on the page itself, with their conditions', () => {
    const on = (key: string, equals: string) => ({ visible_if: { key, equals } });
    const [item] = itemsOf({
      ...{ key: 'city', type: 'select', label: 'City' },
      options: [
        { value: 'a', label: 'A', ...on('before', 'x') },
        { value: 'b', label: 'B', ...on('before', 'y') },
        { value: 'c', label: 'C', ...on('here', 'x') },
        'd',
      ],
    });
    const offered = item && offeredItem(item, { before: 'x' }, (key) => key === 'here');
    const html = render(questions({ items: offered ? [shownItem(offered)] : [] }));
    expect(
      tagsOf(html, 'input').flatMap((input) => (input.name === 'a.city' && input.value ? [[input.value, input['data-if']]] : [])),
    ).toEqual([
      ['a', undefined],
      ['c', '{"key":"here","equals":"x"}'],
      ['d', undefined],
    ]);
    const nothing = itemsOf({ key: 'b', type: 'select', options: [{ value: 'b', label: 'B', ...on('before', 'y') }] });
    expect(nothing.map((each) => offeredItem(each, {}, () => false))).toMatchObject([{ options: [], visible_if: { any: [] } }]);
  });

  it('says which options that were chosen are gone from it, as earlier answers have changed', () => {
    const only = (equals: string) => ({ visible_if: { key: 'before', equals } });
    const [item] = itemsOf({
      ...{ key: 'city', type: 'multi_select', label: 'City' },
      options: [
        { value: 'a', label: 'Agra', ...only('x') },
        { value: 'b', label: 'Bern', ...only('y') },
        { value: 'c', label: 'Celle', ...only('y') },
      ],
      translations: { de: { options: { b: 'Bärn' } } },
    });
    if (!item) throw new Error('no item');
    const offered = offeredItem(item, { before: 'x' }, () => false);
    const removed = removedOptions(item, offered, ['a', 'b', 'gone'], 'de', 'en');
    expect(removed).toEqual([{ text: 'Bärn', lang: 'de' }]);
    const html = render(questions({ items: [shownItem(offered, 0, { values: ['a', 'b'] })], removed }));
    expect(textOf(html)).toContain('Removed, as it does not fit your other answers: Bärn');
    expect(html).toMatch(/<div class="notice"[^>]*><p>Removed[^<]*<\/p><ul><li><bdi dir="ltr" lang="de">Bärn<\/bdi>/);
    expect(removedOptions(item, item, ['b'], 'de', 'en')).toEqual([]);
  });

  it('shows the message of a check in its own language and direction', () => {
    const fault = { key: 'answer', code: 'refused', params: { check: 1 }, message: 'x', authored: { text: 'לא', lang: 'he' } };
    expect(render(question({ type: 'short_text' }, {}, { faults: [fault] }))).toContain('<bdi dir="rtl" lang="he">לא</bdi>');
  });

  it('has the mark of a field that is required by another answer, hidden, and loads the script that follows it', () => {
    const items = itemsOf({ key: 'b', type: 'date', required: true, required_if: { key: 'a', answered: true } });
    const html = render(questions({ items: items.map((item) => shownItem(item, 0, { isRequired: true })), earlier: { a: 1 } }));
    expect(html).toContain('<span class="optional" hidden="">');
    expect(tagsOf(html, 'script').map(({ src }) => src)).toContain('/assets/conditions.js');
    expect(tagsOf(html, 'form')[0]?.['data-earlier']).toBe('{"a":1}');
  });

  it('has a trap that people neither see nor reach', () => {
    const html = render(questions());
    expect(html).toMatch(
      /<div class="trap" aria-hidden="true"><label for="hp">Leave this field empty<\/label><input id="hp" tabindex="-1"/,
    );
  });

  it('has its main button first, so that the Enter key presses it', () => {
    expect(buttonsOf(render(questions({ next: 'continue', hasBack: true, hasSave: true })))).toEqual(['continue', 'back', 'save']);
    expect(textOf(render(questions({ next: 'continue', hasBack: true, hasSave: true })))).toContain(
      'Continue Back Save and come back later',
    );
  });

  it('says what sending costs, where it is sent', () => {
    const price = { amount: 2_500, currency: 'eur' };
    expect(textOf(render(questions({ price })))).toContain('To pay: €25.00');
    expect(textOf(render(questions({ price, next: 'continue' })))).not.toContain('€');
  });

  it('names the work that the browser has to do', () => {
    const html = render(questions({ proof: { challenge: 'c:1', bits: 17 } }));
    expect(tagsOf(html, 'form')[0]).toMatchObject({
      'data-proof-bits': '17',
      'data-proof-challenge': 'c:1',
      'data-proof-src': '/assets/proof.js',
    });
    expect(tagsOf(html, 'input')).toContainEqual({ type: 'hidden', name: 'proof', value: '' });
    expect(html).toContain('<noscript><p class="hint">This form checks your browser');
  });

  it('names each refused file, at the top and beside its question', () => {
    const faults = ['a.txt', 'b.txt'].map((file) => ({ ...fault('cv'), code: 'file_empty', file }));
    const [item] = itemsOf({ key: 'cv', type: 'file', label: 'Your CV', multiple: true });
    if (!item) throw new Error('no item');
    const text = textOf(render(questions({ items: [shownItem(item, 0)], faults })));
    for (const file of ['a.txt', 'b.txt']) {
      expect(text).toContain(`Your CV: ${file}: the file is empty; choose another one`);
      expect(text.split(`${file}: the file is empty`)).toHaveLength(3);
    }
  });

  it('lists faults at the top, each once and with a link to its question', () => {
    const items = itemsOf({ key: 'a', type: 'date', label: 'Day' }, { key: 'b', type: 'date', label: 'When?' });
    const faults = [fault('a'), { ...fault('a'), code: 'not_date' }, fault('b'), { ...fault('gone'), code: 'unknown_field' }];
    const html = render(questions({ items: items.map((item, index) => shownItem(item, index)), faults }));
    expect(titleOf(html)).toBe('Error: Site visit');
    expect(html).toContain('<div class="summary" role="alert" aria-labelledby="summary" tabindex="-1" autofocus="">');
    expect(textWithId(html, 'summary')).toBe('There is a problem');
    const links = [...html.matchAll(/<li><a href="(#[^"]+)">([^<]+)<\/a><\/li>/g)].map(([, href, text]) => [href, text]);
    expect(links).toEqual([
      ['#f-a', 'Day: enter a date'],
      ['#f-b', 'When? Enter a date'],
    ]);
    expect(html).toContain('<li>gone: this question is not part of the form</li>');
  });

  it.each([
    ['send_again', 'please send them again'],
    ['form_changed', 'The form has changed'],
    ['new_questions', 'There are more questions'],
    ['unavailable', 'not working on our side'],
    ['too_many_requests', 'wait a moment'],
    ['files_too_large', 'too large'],
    ['too_large', 'shorten the answers'],
    ['wait_for_check', 'Wait until the check'],
  ] as const)('says what happened to the answers (%s)', (notice, text) => {
    expect(render(questions({ notice }))).toMatch(
      new RegExp(`<div class="notice" role="status" tabindex="-1" autofocus=""><p>[^<]*${text}`),
    );
  });

  it('shows answers to questions that are no longer asked', () => {
    const html = render(questions({ notice: 'form_changed', dropped: [{ label: 'Colour', value: '<red>' }] }));
    expect(html).toContain('<li><bdi>Colour</bdi>: <bdi>&lt;red&gt;</bdi></li>');
  });
});

const answersTo = (...pairs: [item: Record<string, unknown>, answer: unknown, fileNames?: string[]][]): ShownAnswer[] =>
  pairs.flatMap(([item, answer, fileNames = []]) =>
    itemsOf({ key: 'answer', ...item }).map((field) => ({ field: field as ShownAnswer['field'], answer, fileNames, change: undefined })),
  );
const options = ['a', 'b', 'c'].map((value) => ({ value, label: `Option ${value}` }));

describe('An answer', () => {
  it.each([
    [{ type: 'short_text' }, 'Ada', 'Ada'],
    [{ type: 'long_text' }, 'one\ntwo', 'one two'],
    [{ type: 'boolean' }, false, 'No'],
    [{ type: 'number' }, 1234.5, '1,234.5'],
    [{ type: 'rating' }, 4, '4'],
    [{ type: 'date' }, '2026-05-31', '31 May 2026'],
    [{ type: 'time' }, '14:30', '14:30'],
    [{ type: 'datetime' }, '2026-05-31T14:30', '31 May 2026 at 14:30'],
    [{ type: 'datetime' }, '2026-05-31T14:30:00+02:00', '31 May 2026 at 12:30 UTC'],
    [{ type: 'select', options }, 'b', 'Option b'],
    [{ type: 'select', options }, 'gone', 'gone'],
    [{ type: 'multi_select', options }, ['a', 'c'], 'Option a Option c'],
    [{ type: 'matrix', rows: options, columns: options }, { c: 'a', b: 'gone' }, 'Option b : gone Option c : Option a'],
    [{ type: 'matrix', rows: options, columns: options, multiple: true }, { a: ['b', 'c'] }, 'Option a : Option b , Option c'],
    [{ type: 'matrix', rows: options, columns: options }, 'no rows', 'no rows'],
    [{ type: 'file' }, 'f1', 'plan.pdf', ['plan.pdf']],
    [{ type: 'short_text' }, undefined, 'Not answered'],
    [{ type: 'date' }, 'not a date', 'not a date'],
  ] as [Record<string, unknown>, unknown, string, string[]?][])(
    'is shown as people write it (%j, %j)',
    (item, answer, shown, fileNames = []) => {
      const html = render(check({ answers: answersTo([{ label: 'Question', ...item }, answer, fileNames]) }));
      expect(textOf(/<dl class="answers">.*<\/dl>/.exec(html)?.[0] ?? '').trim()).toBe(`Question ${shown}`);
    },
  );

  it('has the labels of rows and columns in the language of the reader, each in its own direction', () => {
    const matrix = {
      type: 'matrix',
      label: 'Looks',
      rows: options,
      columns: options,
      translations: { he: { rows: { a: 'חזית' }, columns: { b: 'טוב' } } },
    };
    const html = render(check({ language: 'he', authorLanguage: 'en', answers: answersTo([matrix, { a: 'b', c: 'c' }]) }));
    expect(html).toContain('<li><bdi dir="rtl">חזית</bdi>: <bdi dir="rtl">טוב</bdi></li>');
    expect(html).toContain('<li><bdi dir="ltr" lang="en">Option c</bdi>: <bdi dir="ltr" lang="en">Option c</bdi></li>');
  });
});

describe('The check of the answers', () => {
  it('leads back to each question, and sends', () => {
    const answers = answersTo([{ type: 'short_text', label: 'Name' }, 'Ada']);
    const html = render(check({ answers: answers.map((each) => ({ ...each, change: { name: 'do', value: 'change:answer' } })) }));
    expect(textOf(html)).toContain('Site visit Check your answers');
    expect(tagsOf(html, 'button')).toMatchObject([
      { name: 'do', value: 'change:answer', 'aria-label': 'Change: Name' },
      { name: 'do', value: 'send' },
      { name: 'do', value: 'back' },
    ]);
  });
});

describe('The receipt', () => {
  it('shows the reference and when it was sent, in the time zone of the form', () => {
    const text = textOf(render(receipt()));
    expect(text).toContain('Thank you Your answers have been sent. Reference 7K3F-92QD-5A Sent on 31 May 2026 at 14:30 CEST');
  });

  it('leads to the payment, out of the page around it', () => {
    const payment = { url: 'https://pay.example/1', state: 'due', price: { amount: 2_500, currency: 'eur' } } as const;
    const links = (isEmbedded: boolean) => tagsOf(render(receipt({ payment, isEmbedded })), 'a').find(({ href }) => href === payment.url);
    expect(links(false)).toEqual({ class: 'button primary', href: payment.url, rel: 'noreferrer' });
    expect(links(true)).toMatchObject({ target: '_top' });
    expect(textOf(render(receipt({ payment })))).toContain('Pay €25.00');
  });

  it('says that a payment arrived, or cannot be made any more', () => {
    const of = (state: 'done' | 'expired') => textOf(render(receipt({ payment: { url: undefined, state, price: undefined } })));
    expect([of('done'), of('expired')]).toEqual([
      expect.stringContaining('Your payment has been received.'),
      expect.stringContaining('The time to pay has run out.'),
    ]);
  });

  it('shows the thanks of the author, the answers, and where to go on', () => {
    const form = { title: 'Site visit', settings: { thank_you: { text: 'See you soon.' } } };
    const html = render(receipt({ form, answers: answersTo([{ type: 'short_text' }, 'Ada']), onward: 'https://example.org/next' }));
    expect(textOf(html)).toMatch(/See you soon\..*Your answers.*Ada/);
    expect(tagsOf(html, 'a')).toContainEqual(expect.objectContaining({ href: 'https://example.org/next' }));
  });

  it('offers to print only where a script can', () => {
    expect(tagsOf(render(receipt()), 'button')).toEqual([{ type: 'button', 'data-print': '', hidden: '' }]);
  });

  it('says that the answers had been sent before', () => {
    const before = render(receipt({ wasSentBefore: true }));
    expect(textOf(before)).toContain('You had already sent this form.');
    expect(before).not.toContain('Thank you');
  });

  const ending = { title: 'A & B', text: 'We *meet*.', translations: { de: { title: 'Bis bald' } } };
  const form = { title: 'Site visit', settings: { thank_you: { text: 'See you soon.' } } };

  it('has the ending in place of the thanks, in the language of the page as far as it is translated', () => {
    const html = render(receipt({ form, ending }));
    expect(html).toMatch(/<h1><bdi[^>]*>A &amp; B<\/bdi><\/h1>.*We <em>meet<\/em>/);
    expect(textOf(html)).toContain('Your answers have been sent.');
    expect(html).not.toMatch(/Thank you|See you soon/);
    expect(render(receipt({ form, ending, language: 'de', authorLanguage: 'en' }))).toMatch(
      /<title>.*Bis bald.*<h1>.*Bis bald.*lang="en".*meet/,
    );
  });

  it('tells no ending before everything is paid, nor for answers that were not sent', () => {
    const due = render(receipt({ form, ending, payment: { url: 'https://pay.example/1', state: 'due', price: undefined } }));
    expect(due).not.toMatch(/A &amp; B|meet|See you soon/);
    const paid = { url: undefined, state: 'done', price: undefined } as const;
    expect(render(receipt({ form, ending, payment: paid }))).toContain('A &amp; B');
    expect(render(receipt({ form, ending, wasSentBefore: true }))).not.toContain('A &amp; B');
    expect(textOf(render(receipt({ form, isUntold: true })))).toMatch(/Your answers have been sent\. Reference/);
  });
});

test('The page of saved answers shows the link, until when it works, and that it is secret', () => {
  const html = render(saved());
  expect(textOf(html)).toMatch(
    /open this link by 30 June 2026 at 14:00 CEST\..*https:\/\/forms\.example\/f\/site-visit\/resume\/s3cret.*Keep the link/,
  );
});

describe('A message', () => {
  const closed = {
    name: 'closed',
    because: 'closed',
    opensAt: undefined,
    closesAt: undefined,
    text: undefined,
    unsent: undefined,
  } as const;

  it.each([
    [{ ...closed }, 'This form is closed This form does not accept answers'],
    [{ ...closed, closesAt: new Date('2026-05-31T12:00:00Z') }, 'This form closed on 31 May 2026 at 14:00 CEST.'],
    [
      { ...closed, because: 'not_yet_open' as const, opensAt: new Date('2026-01-01T00:00:00Z') },
      'not open yet This form opens on 1 January 2026',
    ],
    [{ ...closed, because: 'full' as const, text: 'Come next year.' }, 'the maximum number of responses. Come next year.'],
    [{ ...closed, because: 'payments_not_set_up' as const }, 'cannot take payments yet'],
    [{ name: 'not_found' as const }, 'Page not found There is no form at this address.'],
    [{ name: 'too_many_requests' as const }, 'Too many attempts'],
  ])('says why there is nothing to fill in (%j)', (said, text) => expect(textOf(render(message(said)))).toContain(text));

  it('shows answers that came too late', () => {
    const html = render(message({ ...closed, unsent: answersTo([{ type: 'short_text' }, 'Ada']) }));
    expect(textOf(html)).toMatch(/Your answers have not been sent .*Ada/);
  });

  it('offers to try again with everything that was entered', () => {
    const html = render(message({ name: 'unavailable' }, { retry: { action: '/f/x', hidden: [['a.b', '1']], droppedFiles: [] } }));
    expect(tagsOf(html, 'form')).toMatchObject([{ action: '/f/x', method: 'post' }]);
    expect(html).toMatch(/<input type="hidden" name="a\.b" value="1"\/>.*<button class="primary">Try again<\/button>/);
    expect(textOf(html)).not.toContain('files');
  });

  it('names the files that have to be chosen again', () => {
    const html = render(message({ name: 'unavailable' }, { retry: { action: '/f/x', hidden: [], droppedFiles: ['cv.pdf', '<b>.txt'] } }));
    expect(textOf(html)).toContain('These files have not been kept.');
    expect(html).toContain('<li><bdi>cv.pdf</bdi></li><li><bdi>&lt;b&gt;.txt</bdi></li>');
  });
});

describe('Every page', () => {
  const help_contact = { email: 'a&b@example.org', phone: '+49 (30) 12', url: 'https://example.org/help' };

  it('has the help of the form in the same place', () => {
    const form = { title: 'Site visit', settings: { help_contact } };
    for (const view of [
      question({ type: 'date' }, {}, { form }),
      check({ form }),
      receipt({ form }),
      saved({ form }),
      message({ name: 'not_found' }, { form }),
    ]) {
      const html = render(view);
      expect(html).toMatch(/<\/main><footer><section class="help"><h2>Help with this form<\/h2>/);
      expect(
        tagsOf(html, 'a')
          .slice(-3)
          .map(({ href }) => href),
      ).toEqual(['mailto:a%26b@example.org', 'tel:+493012', 'https://example.org/help']);
    }
  });

  it('has links to its other languages, by their own names', () => {
    const languages = ['en', 'de', 'ar'].map((language) => ({ language, href: `?lang=${language}` }));
    const html = render(questions({ languages }));
    expect(tagsOf(html, 'a').filter(({ hreflang }) => hreflang !== undefined)).toEqual([
      { href: '?lang=en', lang: 'en', hreflang: 'en', dir: 'ltr', 'aria-current': 'true' },
      { href: '?lang=de', lang: 'de', hreflang: 'de', dir: 'ltr' },
      { href: '?lang=ar', lang: 'ar', hreflang: 'ar', dir: 'rtl' },
    ]);
    expect(textOf(html)).toContain('English Deutsch العربية');
  });

  it('loads the style sheet of the theme, and shows the logo', () => {
    const html = render(questions({ logo: '/f/x/logo', assets: { ...frame.assets, theme: '/f/x/theme.css' } }));
    expect(tagsOf(html, 'link').map(({ href }) => href)).toEqual(['/assets/icon.svg', '/assets/form.css', '/f/x/theme.css']);
    expect(tagsOf(html, 'img')).toMatchObject([{ src: '/f/x/logo', alt: '' }]);
  });
});

describe('the page that asks for a code', () => {
  it('shows nothing of the form, and carries what waits', () => {
    const html = render(access({ hidden: [['a.name', '"Ada"']], hasAnswers: true }));
    expect(html).not.toContain('Site visit');
    expect(html).toContain('name="a.name" value="&quot;Ada&quot;"');
    expect(textOf(html)).toContain('Your answers have not been sent yet.');
  });

  it.each([
    ['wrong', 'This is not the access code.'],
    ['too_many', 'Too many requests came from your network'],
  ] as const)('says at the field, and in the title, that the code is %s', (fault, text) => {
    const html = render(access({ fault }));
    expect(html).toContain('<title>Error: ');
    expect(html).toContain('aria-describedby="access_hint access_error"');
    expect(textOf(html)).toContain(text);
  });

  it('has a link to a window in place of the field where it is embedded', () => {
    const html = render(access({ inWindow: '/f/site-visit?a=1', isEmbedded: true }));
    expect(html).not.toContain('<form');
    expect(html).toContain('href="/f/site-visit?a=1" target="_blank"');
  });
});
