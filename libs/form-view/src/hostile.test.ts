import { frame, check, itemsOf, message, questions, receipt, shownItem } from './sample-views';
import { render } from './render';
import type { Field, FormElement } from '@sheaf/contracts';
import type { ShownAnswer, View } from './view';

/** Pieces that have a meaning in Markdown, in HTML or in addresses. */
const pieces = [
  '*',
  '**',
  '_',
  '[',
  ']',
  '](',
  ')',
  '(',
  '<',
  '>',
  '"',
  "'",
  '&',
  '&lt;',
  '\\',
  '\n',
  '\n\n',
  '- ',
  '1. ',
  '2. ',
  ' ',
  'a',
  'ب',
  '!',
  '#',
  '`',
  'https://example.org/',
  'https://',
  'javascript:alert(1)',
  'JAVASCRIPT&colon;',
  'data:text/html,',
  'mailto:a@example.org',
  'tel:+431',
  '//evil.example',
  '<script>',
  '</p>',
  '<a href="',
  ' onclick="x"',
  'style=',
  '\u0000',
  '\u202e',
  '@',
  '[a](https://example.org/"onmouseover=x)',
  "[a](https://example.org/?b='c'&d)",
  '[a](JavaScript:alert(1))',
];

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>' style='color:red'`;
/** Turns everything after it around, and ends every isolation around it. */
const turning = '\u202e\u2066\u2069\u2069evil\u202d';

const allTypes = (text: string): (Field | FormElement)[] => {
  const options = Array.from({ length: 8 }, (_, index) => ({ value: `${text}${index}`, label: `${text}${index}` }));
  const texts = { label: text, help: text, translations: { de: { label: `${text}!`, help: `${text}!` } } };
  const asked = { ...texts, placeholder: text };
  return itemsOf(
    ...[
      'short_text',
      'long_text',
      'email',
      'url',
      'phone',
      'number',
      'integer',
      'rating',
      'date',
      'time',
      'datetime',
      'boolean',
      'file',
    ].map((type) => ({ key: type, type, ...asked })),
    { key: 'few', type: 'select', ...asked, options: options.slice(0, 2) },
    { key: 'many', type: 'select', ...asked, options },
    { key: 'some', type: 'multi_select', ...asked, options },
    { key: 'consent', type: 'boolean', ...asked, required: true, must_be_true: true, visible_if: { key: 'few', equals: text } },
    { type: 'section', ...texts },
    { type: 'statement', ...texts },
  );
};

function viewsWith(text: string): View[] {
  const form = {
    title: text,
    settings: {
      description: text,
      thank_you: { text },
      help_contact: { email: 'a@example.org', phone: text },
      translations: { de: { title: `${text}!` } },
    },
  };
  const items = allTypes(text);
  const files = [{ id: text, name: text, size: 1, token: text }];
  const shown = items.map((item, index) => shownItem(item, index, { values: [text], files: item.type === 'file' ? files : [] }));
  const faults = [
    ...items.flatMap((item) => ('key' in item ? [{ key: item.key, code: 'required', params: {}, message: text }] : [])),
    { key: text, code: text, params: {}, message: text },
  ];
  const answers = items.flatMap((item) =>
    'key' in item
      ? [{ field: item, answer: item.type === 'multi_select' ? [text] : text, fileNames: [text], change: { name: 'do', value: text } }]
      : [],
  ) as ShownAnswer[];
  const page = itemsOf({ type: 'page', label: text, help: text })[0];
  return ['en', 'de', 'ar'].flatMap((language) => {
    const here = { ...frame, form, language };
    return [
      questions({
        ...here,
        items: shown,
        faults,
        step: { number: 1, of: 2, page },
        hidden: [[text, text]],
        earlier: { few: text },
        dropped: [{ label: text, value: text }],
        proof: { challenge: text, bits: 1 },
      }),
      check({ ...here, answers, hidden: [[text, text]] }),
      receipt({ ...here, answers, reference: text }),
      message({ name: 'closed', because: 'closed', opensAt: undefined, closesAt: undefined, text, unsent: answers }, here),
    ];
  });
}

/** The same numbers between 0 and 1 in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Markup without the texts between tags and the values of attributes. */
const skeletonOf = (html: string): string => html.replaceAll(/="[^"]*"/g, '').replaceAll(/>[^<>]+</g, '><');

describe('Texts of authors and respondents', () => {
  it('never become markup', () => {
    const harmless = viewsWith('harmless').map(render);
    viewsWith(hostile).forEach((view, index) => {
      const skeleton = skeletonOf(render(view));
      expect(skeleton).not.toMatch(/<script(?! defer src>)|<img|onerror|style/);
      expect(skeleton).toBe(skeletonOf(harmless[index] ?? ''));
    });
  });

  it('have only the tags and attributes of emphasis, links and lists, whatever they hold', () => {
    const allowed =
      /^<(?:\/?(?:p|br|em|strong|ul|ol|li)\/?|ol start="\d+"|a href="(?:https?:\/\/|mailto:|tel:)[^"<>]*"(?: target="_blank")? rel="noopener"|\/a|bdi class="opens" lang="[a-z-]+" dir="(?:ltr|rtl)"|\/bdi)>$/i;
    const random = randomFrom(35);
    const text = () => Array.from({ length: 1 + Math.floor(random() * 14) }, () => pieces[Math.floor(random() * pieces.length)]).join('');
    let links = 0;
    for (let at = 0; at < 200; at += 1) {
      const source = Array.from({ length: 10 }, text).join('\n\n');
      const html = render(receipt({ form: { title: 'Survey', settings: { thank_you: { text: source } } } }));
      const [, inside = ''] = /<div class="description written"[^>]*>(.*?)<\/div>/s.exec(html) ?? [];
      links += inside.match(/<a /g)?.length ?? 0;
      expect({ source, tags: (inside.match(/<[^>]*>?/g) ?? []).filter((tag) => !allowed.test(tag)) }).toEqual({ source, tags: [] });
    }
    expect(links).toBeGreaterThan(50);
  });

  it('do not turn around what stands beside them', () => {
    for (const html of viewsWith(turning).map(render)) {
      // Between two tags, nothing of ours stands beside such a text: the element around it isolates it, or is a block of its own.
      const inline = [...html.matchAll(/<(\w+)\b([^<>]*)>([^<]*)</g)].map(([, name, attributes, text]) => ({
        name,
        attributes,
        text,
      }));
      const alone = inline.filter(
        ({ name = '', attributes = '', text = '' }) =>
          text.includes('\u202e') && !/^(?:bdi|p|br|li|option|textarea|dd|div)$/.test(name) && !attributes.includes(' dir="'),
      );
      expect(alone).toEqual([]);
      // Nor in names that only assistive technology reads, and in the title.
      expect(html).not.toMatch(/aria-label="[^"]*\u202e/);
      expect(/<title>(.*)<\/title>/.exec(html)?.[1]).not.toMatch(/[\u202a-\u202e\u2066\u2067]/);
    }
  });
});

test('No page has a style or a script within itself', () => {
  for (const html of viewsWith('harmless').map(render)) {
    expect(html).not.toMatch(/ style="| on[a-z]+="|<style|javascript:/i);
    for (const [script] of html.matchAll(/<script[^>]*>([^<]*)/g))
      expect(script).toMatch(/^<script defer="" src="\/assets\/(?:page|conditions)\.js">$/);
  }
});
