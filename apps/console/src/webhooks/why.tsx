import type { SubscriberResponse } from '@sheaf/client';
import { Code } from '../parts/page';
import { useWords } from '../words/use-words';
import { failureCode, failureSentence, type Failed } from './failure-sentence';
import style from './webhooks.module.css';

/** Why an attempt failed, and what the receiver said. Nothing if it arrived. */
export function Why({ failed, response }: { failed: Omit<Failed, 'response'>; response: SubscriberResponse | undefined }) {
  const say = useWords('webhooks');
  const sentence = failureSentence({ ...failed, ...(response && { response }) }, useWords('deliveries').failures);
  const code = failureCode(failed);
  if (sentence === undefined) return null;
  return (
    <>
      <p className={style.url}>
        {sentence} {code !== undefined && <code className="muted">{code}</code>}
      </p>
      {response && response.body !== '' && (
        <details>
          <summary>{say.whatItSaid}</summary>
          {response.content_type !== undefined && (
            <p className="muted" dir="auto">
              {response.content_type}
            </p>
          )}
          <Code label={say.whatItSaid}>{response.body}</Code>
          {response.truncated && <p className="muted">{say.onlyBeginning}</p>}
        </details>
      )}
    </>
  );
}
