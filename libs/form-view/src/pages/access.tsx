import { Heading } from '../parts/heading';
import { useReading } from '../reading';
import type { AccessPage } from '../view';
import type { Words } from '../words/words';

const faults = {
  wrong: ({ accessWrong }) => accessWrong,
  too_many: ({ tooManyRequests }) => tooManyRequests,
  unavailable: ({ unavailable }) => unavailable,
} satisfies Record<NonNullable<AccessPage['fault']>, (words: Words) => string>;

/** Nothing of the form is shown here, not even its title. */
export function Access({ page }: { page: AccessPage }) {
  const { words } = useReading();
  const { action, hidden, fault, hasAnswers, inWindow } = page;
  return (
    <>
      <Heading form={undefined} title={words.accessTitle} />
      {hasAnswers && (
        <div className="notice" role="status">
          <p>{words.accessKept}</p>
        </div>
      )}
      {inWindow === undefined ? (
        <form method="post" action={action} encType="multipart/form-data" noValidate data-sending={words.sending}>
          {hidden.map(([name, value], index) => (
            <input key={index} type="hidden" name={name} value={value} />
          ))}
          <div className={fault === undefined ? 'item' : 'item wrong'}>
            <label className="label" htmlFor="access_code">
              {words.accessLabel}
            </label>
            <p className="hint" id="access_hint">
              {words.accessText}
            </p>
            {fault !== undefined && (
              <p className="fault" id="access_error">
                {faults[fault](words)}
              </p>
            )}
            <input
              id="access_code"
              name="access_code"
              type="text"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              dir="ltr"
              maxLength={100}
              autoFocus={fault !== undefined}
              aria-describedby={fault === undefined ? 'access_hint' : 'access_hint access_error'}
              aria-invalid={fault !== undefined || undefined}
            />
          </div>
          <div className="buttons">
            <button className="primary">{words.continue}</button>
          </div>
          <p className="status" id="status" role="status" />
        </form>
      ) : (
        <>
          <p>{words.accessInWindow}</p>
          <p>
            <a href={inWindow} target="_blank" rel="noopener">
              {words.openInNewWindow}
            </a>
          </p>
        </>
      )}
    </>
  );
}
