import type { PartName, Parts } from '../fields/answer-kinds';
import type { AnswerForm } from '../fields/traits';
import { normalAnswer } from './normal-answer';

/** An answer as it is checked and kept, which may have parts. The script of a page has no use for it. */
export const keptAnswer = (form: AnswerForm, answer: unknown): unknown =>
  form.parts && typeof answer === 'object' && answer !== null && !Array.isArray(answer)
    ? normalParts(form.parts, answer)
    : normalAnswer(form, answer);

/** In the order of the parts, without those that are empty; without any, it is no answer. Names that no part has are left, and refused. */
function normalParts(parts: Parts, answer: object): object | undefined {
  const names = Object.keys(parts);
  const place = ([name]: [string, unknown]) => (Object.hasOwn(parts, name) ? names.indexOf(name) : names.length);
  const sorted = [...Object.entries(answer)].sort((a, b) => place(a) - place(b));
  const given = sorted.flatMap(([name, part]: [string, unknown]): [string, unknown][] => {
    const kind = Object.hasOwn(parts, name) ? parts[name as PartName] : undefined;
    const normal = kind === undefined ? part : normalAnswer({ kind }, part);
    return normal === '' || normal === null || normal === undefined ? [] : [[name, normal]];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
