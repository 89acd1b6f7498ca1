import type { FormSettingsDetail } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { formQuery } from '../../form/form';
import { Button, ButtonLink } from '../../parts/button';
import { classes } from '../../parts/classes';
import { useWords } from '../../words/use-words';
import type { Ask } from '../form-menu';
import { FormStep } from './form-step';
import { noteTour, stepOf, type TourProgress, type TourStep } from './progress';
import { SubmissionStep } from './submission-step';
import style from './tour.module.css';
import { WebhookStep } from './webhook-step';

interface TourProps {
  tourKey: string;
  progress: TourProgress;
  ask: Ask;
}

/** From no form to a submission in the inbox and a webhook that was called. The form itself tells which steps are done. */
export function Tour({ tourKey, progress, ask }: TourProps) {
  const say = useWords('tour');
  // Changes of the form make this stale (shell/live-changes.ts). A form that was erased in between begins the tour anew.
  const { data: form } = useQuery({ ...formQuery(progress.form ?? ''), enabled: progress.form !== undefined });
  const step = stepOf(progress, form);
  const note = (change: TourProgress) => noteTour(tourKey, { ...progress, ...change });
  return (
    <section className={style.tour} aria-label={say.tour}>
      <div className={style.head}>
        <div>
          <h2>{say.title}</h2>
          <p className="muted">{say.help}</p>
        </div>
        <Button look="quiet" isSmall onPress={() => note({ isOver: true })}>
          {say.dismiss}
        </Button>
      </div>
      <ol className={style.steps}>
        <Step number={1} name="form" current={step} title={say.stepForm}>
          <FormStep form={form} ask={ask} onMade={(made) => note({ form: made })} />
        </Step>
        <Step number={2} name="submission" current={step} title={say.stepSubmission}>
          {form && <SubmissionStep form={form} />}
        </Step>
        <Step number={3} name="webhook" current={step} title={say.stepWebhook}>
          {form && <WebhookStep form={form} onDone={() => note({ hasWebhook: true })} />}
        </Step>
      </ol>
      {step === 'done' && form && <Finished form={form} onLeave={() => note({ isOver: true })} />}
    </section>
  );
}

const order: readonly TourStep[] = ['form', 'submission', 'webhook', 'done'];

interface StepProps {
  number: number;
  name: TourStep;
  current: TourStep;
  title: string;
  children: ReactNode;
}

function Step({ number, name, current, title, children }: StepProps) {
  const say = useWords('tour');
  const isDone = order.indexOf(name) < order.indexOf(current);
  const isNow = name === current;
  return (
    <li className={classes(style.step, isNow && style.now)} aria-current={isNow ? 'step' : undefined}>
      <span className={classes(style.number, isDone && style.isDone)} aria-hidden>
        {isDone ? <Check size={14} /> : number}
      </span>
      <div className={style.body}>
        <h3>
          {title} <span className="visually-hidden">({isDone ? say.done : isNow ? say.now : say.next})</span>
        </h3>
        {isNow && children}
      </div>
    </li>
  );
}

function Finished({ form, onLeave }: { form: FormSettingsDetail; onLeave: () => void }) {
  const say = useWords('tour');
  return (
    <div className={style.finished} role="status">
      <div>
        <h3>{say.finished}</h3>
        <p className="muted">{say.finishedHelp}</p>
      </div>
      <ButtonLink look="primary" href={`/console/forms/${form.id}/submissions`} onPress={onLeave}>
        {say.toInbox}
      </ButtonLink>
    </div>
  );
}
