import type { SubscriberResponse } from '@sheaf/client';
import { Code } from '../parts/page';
import { useWords } from '../words/use-words';
import { failureCode, failureSentence, type Failed } from './failure-sentence';
import { headerLines } from './header-lines';
import style from './webhooks.module.css';

/** Why an attempt failed, and what the receiver said, also if it arrived. */
export function Why({ failed, response }: { failed: Omit<Failed, 'response'>; response: SubscriberResponse | undefined }) {
  const sentence = failureSentence({ ...failed, ...(response && { response }) }, useWords('deliveries').failures);
  const code = failureCode(failed);
  return (
    <>
      {sentence !== undefined && (
        <p className={style.url}>
          {sentence} {code !== undefined && <code className="muted">{code}</code>}
        </p>
      )}
      {response && <Said {...response} />}
    </>
  );
}

function Said({ body, headers = {}, content_type: type, truncated }: SubscriberResponse) {
  const say = useWords('webhooks');
  const hasHeaders = Object.keys(headers).length > 0;
  if (body === '' && !hasHeaders) return null;
  return (
    <details>
      <summary>{say.whatItSaid}</summary>
      {type !== undefined && (
        <p className="muted" dir="auto">
          {type}
        </p>
      )}
      {hasHeaders && <Code label={say.headersItSent}>{headerLines(headers)}</Code>}
      {body !== '' && <Code label={say.whatItSaid}>{body}</Code>}
      {truncated && <p className="muted">{say.onlyBeginning}</p>}
    </details>
  );
}
