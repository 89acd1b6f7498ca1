import type { Webhook } from '@sheaf/client';
import { Badge, Since } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './webhooks.module.css';
import { failedIn, type Failed } from './failure-sentence';
import { Why } from './why';

/** Whether a webhook works, and if not, since when and why. */
export function WebhookState({ webhook: { active, deactivated, failing } }: { webhook: Webhook }) {
  const say = useWords('webhooks');
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
            {reasons[deactivated.reason]} <Since time={deactivated.at} />
          </span>
        )}
        {deactivated?.detail !== undefined && <LastFailure failed={failedIn(deactivated.detail)} />}
      </span>
    );
  }
  if (!failing) return <Badge tone="good">{say.active}</Badge>;
  const { last_status: status, last_error: error, last_code: code } = failing;
  return (
    <span className={style.facts}>
      <Badge tone="bad">{say.failing(formats.since(failing.since))}</Badge>
      <LastFailure failed={{ status, error, code }} />
    </span>
  );
}

function LastFailure({ failed }: { failed: Failed }) {
  const say = useWords('webhooks');
  return (
    <>
      {typeof failed.status === 'number' && <span className="muted">{say.lastAnswer(String(failed.status))}</span>}
      <Why failed={failed} response={undefined} />
    </>
  );
}
