import { Fragment } from 'react';
import { useReading } from '../reading';
import type { LocalText } from '../words/localized';
import { directionOf } from '../words/tags';

/**
 * A text of the author within a line. It is isolated, so that its directional control characters reach no other text, and has the
 * direction of its language: a German label that begins with a Hebrew name still reads from left to right.
 */
export function Written({ text: { text, lang } }: { text: LocalText }) {
  return (
    <bdi dir={ownDirection(lang)} lang={useForeign(lang)}>
      <Lines lines={text.split('\n')} />
    </bdi>
  );
}

/** A text whose language nobody named shows its direction by its letters. */
export const ownDirection = (lang: string) => (lang === '' ? 'auto' : directionOf(lang));

/** The `lang` of a text that is not in the language of the document. */
export function useForeign(lang: string): string | undefined {
  return lang === useReading().documentLanguage ? undefined : lang;
}

/** A longer text of a respondent, whose language nobody knows. */
export const RespondentText = ({ text }: { text: string }) =>
  paragraphsOf(text).map((lines, index) => (
    <p dir="auto" key={index}>
      <Lines lines={lines} />
    </p>
  ));

const paragraphsOf = (text: string): string[][] =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*(?:\n[^\S\n]*)+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => paragraph.replaceAll(/^\n|\n$/g, '').split('\n'));

export const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ));
