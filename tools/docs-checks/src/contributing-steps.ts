// The steps that change files by hand on the pages of docs/contributing about types of questions, languages and endpoints.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository';

export const page = (name: string): string => readFileSync(join(root, 'docs/contributing', name), 'utf8');

/** A file, the beginning of a line there, and the line that is put before it. */
export type Step = readonly [file: string, before: string, line: string];

export const names = 'apps/console/src/words/languages';
const [scale = ''] = /^ *scale: \{ answer.*$/m.exec(page('question-types.md')) ?? [];

/** The type of question that docs/contributing/question-types.md adds. */
export const table: Step = ['libs/contracts/src/fields/field-kinds.ts', 'rating: {', scale];
export const places: readonly Step[] = [
  ['libs/form-view/src/fields/question.tsx', 'integer: {', '  scale: { draw: (control) => <Rating control={control} /> },'],
  ['apps/console/src/builder/model/kinds.ts', 'rating: {', "  scale: { group: 'choice', icon: Star },"],
  ...readdirSync(join(root, names)).flatMap((language): Step[] => [
    [`${names}/${language}`, 'short_text: ', "    scale: 'points',"],
    [`${names}/${language}`, 'ratingHelp: ', "    scale: 'Scale', scaleHelp: 'A point on a line',"],
  ]),
];

/** Swedish, as docs/contributing/languages.md adds a language to the console … */
export const consoleLanguage: readonly Step[] = [
  ['apps/console/src/words/language.ts', 'import type { Words }', "import type * as sv from './languages/sv';"],
  ['apps/console/src/words/language.ts', 'en: typeof en;', '  sv: typeof sv;'],
  ['apps/console/src/words/language.ts', "en: 'English',", "  sv: 'Svenska',"],
];
/** … and to the hosted form. */
export const formLanguage: readonly Step[] = [
  ['libs/form-view/src/words/counting.ts', 'en: ', "  sv: 'one' | 'other';"],
  ['libs/form-view/src/words/languages.ts', 'import { tr }', "import { sv } from './sv';"],
];

/** The endpoint that docs/contributing/endpoints.md adds, by its generator. */
export const definition = 'libs/contracts/src/operations/form-theme-color.ts';
export const doors = 'apps/forms/src/server.ts';
