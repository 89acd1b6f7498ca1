import { frame, check, itemsOf, message, questions, receipt, shownItem } from './sample-views';
import { render } from './render';
import type { FormItem } from '@sheaf/contracts';
import type { ShownAnswer, View } from './view';

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>' style='color:red'`;
/** Turns everything after it around, and ends every isolation around it. */
const turning = '\u202e\u2066\u2069\u2069evil\u202d';

const allTypes = (text: string): FormItem[] => {
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
