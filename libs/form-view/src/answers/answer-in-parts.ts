import { matrixAnswer, signatureOf, type AnswerForm } from '@sheaf/contracts';
import { answerOf } from './answer-of';

/**
 * The answer in the controls of a field, of which each part has one, in their order. The script of a page has its own, which is shorter. A matrix has one for each cell.
 * @param drawing the file that has the picture of a signature
 */
export function answerInParts(
  { parts, matrix, ...form }: AnswerForm,
  values: readonly string[],
  language: string,
  drawing?: string,
): unknown {
  if (form.kind === 'signature') {
    const name = answerOf({ kind: 'text' }, values, language);
    return signatureOf(typeof name === 'string' ? name : '', drawing);
  }
  if (matrix) return matrixAnswer(matrix, values);
  if (!parts) return answerOf(form, values, language);
  const given = parts.map(({ name, kind }, at) => [name, answerOf({ kind }, values.slice(at, at + 1), language)] as const);
  const answered = given.filter(([, part]) => part !== undefined);
  return answered.length === 0 ? undefined : Object.fromEntries(answered);
}
