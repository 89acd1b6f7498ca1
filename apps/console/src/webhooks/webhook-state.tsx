import type { Webhook } from '@sheaf/client';
import { Badge, Since } from '../parts/states';
import { useFormats } from '../words/formats';
import { useWords } from '../words/use-words';
import style from './webhooks.module.css';
import { words } from './words';

/** Whether a webhook works, and if not, since when and why. */
export function WebhookState({ webhook: { active, deactivated, failing } }: { webhook: Webhook }) {
  const say = useWords(words);
  const formats = useFormats();
  if (!active) {
    const reasons = {
      gone: say.reasonGone,
      failing: say.reasonFailing,
      access_ended: say.reasonAccess,
      switched_off: say.reasonSwitchedOff,
    };
    return (
      <span className={style.facts}>
        <Badge>{say.off}</Badge>
        {deactivated && (
          <span className="muted">
            {reasons[deactivated.reason]} {deactivated.detail} <Since time={deactivated.at} />
          </span>
        )}
      </span>
    );
  }
  if (!failing) return <Badge tone="good">{say.active}</Badge>;
  const answer = failing.last_status ?? failing.last_error;
  return (
    <span className={style.facts}>
      <Badge tone="bad">{say.failing(formats.since(failing.since))}</Badge>
      {answer !== undefined && <span className="muted">{say.lastAnswer(String(answer))}</span>}
    </span>
  );
}
