import type { Part } from '../fields/answer-kinds';
import { normalMatrix } from '../fields/matrix';
import type { AnswerForm } from '../fields/traits';
import { normalAnswer } from './normal-answer';

/** An answer as it is checked and kept, which may have parts. The script of a page has no use for it. */
export const keptAnswer = (form: AnswerForm, answer: unknown): unknown =>
  (form.parts ?? form.matrix) && typeof answer === 'object' && answer !== null && !Array.isArray(answer)
    ? normalObject(form, answer)
    : normalAnswer(form, answer);

const normalObject = ({ parts = [], matrix }: AnswerForm, answer: object): object | undefined =>
  matrix ? normalMatrix(matrix, answer) : normalParts(parts, answer);

/** In the order of the parts, without those that are empty; without any, it is no answer. Names that no part has are left, and refused. */
function normalParts(parts: readonly Part[], answer: object): object | undefined {
  const places = new Map(parts.map(({ name, kind }, place) => [name, { kind, place }]));
  const place = ([name]: [string, unknown]) => places.get(name)?.place ?? parts.length;
  const sorted = [...Object.entries(answer)].sort((a, b) => place(a) - place(b));
  const given = sorted.flatMap(([name, part]: [string, unknown]): [string, unknown][] => {
    const kind = places.get(name)?.kind;
    const normal = kind === undefined ? part : normalAnswer({ kind }, part);
    return normal === '' || normal === null || normal === undefined ? [] : [[name, normal]];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
