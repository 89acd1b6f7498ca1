import { Problem, type Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { keepFiles } from '../files/keep-files';
import * as saved from './saved.queries';

const dayMs = 86_400_000;

/**
 * Keeps unsent answers, and the files among them, for as long as the form says. They may be saved while the form is closed: it may open
 * again, and they do no harm.
 * @throws Problem `not_found`, `too_many_requests`, `forbidden` if the form does not offer it, `payload_too_large` if its saved answers take
 * up too much already.
 */
export async function saveAnswers(
  { db, clock, forms, guard, visits, saved: { formBytes } }: Deps,
  asked: Asked<Respondent>,
  input: { form: string; name: Buffer; sealed: Buffer; fileIds: readonly string[]; begins: boolean },
): Promise<{ expiresAt: Date }> {
  const { id: formId, settings } = await forms.published(input.form, asked);
  guard.admitSaving(formId, asked.call.address);
  if (!settings.resume) throw Problem.forbidden('This form does not offer to save answers.');

  const now = clock.now();
  const expiresAt = new Date(now.getTime() + settings.resume.days * dayMs);
  const answers: saved.NewSaved = {
    form_id: formId,
    name: input.name,
    sealed: input.sealed,
    file_ids: [...new Set(input.fileIds)],
    created_at: now,
    expires_at: expiresAt,
  };
  await db.transaction(async (trx) => {
    const bytes = await saved.lockBytes(trx, formId);
    const { added, fileIdsBefore } = await saved.save(trx, answers);
    if (formBytes > 0 && added > 0 && bytes + added > formBytes) throw tooMuch(formBytes);
    await keepFiles(trx, formId, [...fileIdsBefore, ...answers.file_ids]);
  });
  if (input.begins) visits.note(formId, 'starts');
  return { expiresAt };
}

const tooMuch = (formBytes: number) =>
  new Problem('payload_too_large', `sealed: all saved answers of this form together must have at most ${formBytes} bytes`);
