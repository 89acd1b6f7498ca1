import { conditionsOf, fieldsOf, FormDocument, isCheck, isEnding, isField, withComparisons, withFieldsOfItems } from '@sheaf/contracts';
import { languages, type Language } from '../../words/language';
import type { Words } from '../../words/words';
import { countQuestions, documentOf, otherLanguage, purposes, templates } from './templates';

const cases = templates.flatMap((template) => languages.map((language) => [template.id, language, template] as const));

it('there are thirty, each with a name of its own, in the order of their purposes', () => {
  expect(new Set(templates.map(({ id }) => id)).size).toBe(30);
  expect([...new Set(templates.map(({ purpose }) => purpose))]).toEqual(purposes);
});

describe.each(cases)('The template %s in %s', (_id, language, template) => {
  const textsIn = (each: Language) => ({ language: each, words: jest.requireActual<Words>(`../../words/languages/${each}`).templates });
  const document = documentOf(template, textsIn(language), textsIn(otherLanguage(language)));

  it('is a document that can be imported, and loses nothing in it', () => {
    const parsed = FormDocument.parse(document);
    expect(parsed.title).toBe(document.title);
    expect(parsed).toMatchObject(document);
  });

  it('has questions with keys of their own, and conditions on earlier ones with values that they can have', () => {
    const { fields } = FormDocument.parse(document);
    const earlier = new Map<string, (typeof fields)[number]>();
    for (const item of withFieldsOfItems(fields)) {
      for (const [, condition] of conditionsOf(item)) {
        withComparisons(condition, (comparison) => {
          const { key, equals, not_equals, in: among = [] } = comparison;
          const question = earlier.get(key);
          expect(question).toBeDefined();
          const values = question && isField(question) ? question.options?.map(({ value }) => value) : undefined;
          if (values) expect(values).toEqual(expect.arrayContaining([equals, not_equals, ...among].filter((value) => value !== undefined)));
          return comparison;
        });
      }
      if (isField(item)) {
        expect(earlier.has(item.key)).toBe(false);
        earlier.set(item.key, item);
      }
    }
    expect(fieldsOf(fields).filter(({ type }) => type !== 'calculated')).toHaveLength(countQuestions(template));
  });

  it('is translated completely into the other language', () => {
    const { fields, settings } = FormDocument.parse(document);
    const other = otherLanguage(language);
    expect(Object.keys(settings.translations?.[other] ?? {}).sort()).toEqual(['description', 'thank_you', 'title']);
    for (const item of withFieldsOfItems(fields)) {
      if (isCheck(item)) {
        expect(item.translations?.[other]?.message).toBeTruthy();
        continue;
      }
      if (isEnding(item)) {
        expect(item.translations?.[other]?.title).toBeTruthy();
        continue;
      }
      const translation = item.translations?.[other];
      expect(translation?.label).toBeTruthy();
      expect(translation?.help === undefined).toBe(item.help === undefined);
      if (isField(item) && item.options) {
        expect(Object.keys((translation as { options?: object }).options ?? {})).toEqual([
          ...item.options.map(({ value }) => value),
          ...(item.other ? ['other'] : []),
        ]);
      }
    }
  });
});
