import type { FormSettingsDetail } from '@sheaf/client';
import { ExternalLink } from 'lucide-react';
import { ButtonLink } from '../../parts/button';
import { useWords } from '../../words/use-words';
import style from './tour.module.css';

/** Ends by itself: the submission makes the form stale, and its count tells. */
export function SubmissionStep({ form }: { form: FormSettingsDetail }) {
  const say = useWords('tour');
  return (
    <>
      <p className="muted">{say.stepSubmissionHelp}</p>
      <div className={style.buttons}>
        <ButtonLink look="primary" icon={ExternalLink} href={`/f/${form.slug ?? form.id}`} target="_blank" rel="noreferrer">
          {say.openPage}
        </ButtonLink>
        <span role="status" className="muted">
          {say.waiting}
        </span>
      </div>
    </>
  );
}
