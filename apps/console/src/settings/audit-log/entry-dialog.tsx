import type { AuditEntry } from '@sheaf/client';
import { Button, ButtonLink } from '../../parts/button';
import { CopyButton } from '../../parts/copy-button';
import { Dialog } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import style from './audit-log.module.css';
import type { AuditSearch } from './filter';
import { useActorName, useSentence } from './use-sentence';

/** Everything that the log knows about an entry, and ways to more like it. */
export function EntryDialog({
  entry,
  onFilter,
  onClose,
}: {
  entry: AuditEntry;
  onFilter: (change: AuditSearch) => void;
  onClose: () => void;
}) {
  const say = useWords('auditLog').page;
  const formats = useFormats();
  const sentence = useSentence();
  const { actor, target } = entry;
  return (
    <Dialog title={say.entry} onClose={onClose} isDismissable>
      <p dir="auto">{sentence(entry)}.</p>
      <Facts>
        <dt>{say.time}</dt>
        <dd>{formats.exact(entry.occurred_at)}</dd>
        <dt>{say.actor}</dt>
        <dd>
          <Actor entry={entry} />
        </dd>
        <dt>{say.action}</dt>
        <dd>
          <code>{entry.action}</code>
        </dd>
        <dt>{say.target}</dt>
        <dd>
          {target.kind.replaceAll('_', ' ')} <code>{target.id}</code>
        </dd>
        {entry.workspace_id !== undefined && (
          <>
            <dt>{say.workspace}</dt>
            <dd>
              <code>{entry.workspace_id}</code>
            </dd>
          </>
        )}
        {entry.address !== undefined && (
          <>
            <dt>{say.address}</dt>
            <dd>{entry.address}</dd>
          </>
        )}
        {Object.entries(entry.details ?? {}).map(([name, value]) => (
          <Detail key={name} name={name} value={value} />
        ))}
        <dt>{say.requestId}</dt>
        <dd>
          <code>{entry.request_id}</code> <CopyButton text={entry.request_id} isIcon />
        </dd>
      </Facts>
      <div className={style.links}>
        {actor.id !== undefined && (
          <Button isSmall onPress={() => onFilter({ actor: actor.id })}>
            {say.onlyActor}
          </Button>
        )}
        <Button isSmall onPress={() => onFilter({ action: entry.action })}>
          {say.onlyAction}
        </Button>
        <Button isSmall onPress={() => onFilter({ target: target.id })}>
          {say.onlyThis}
        </Button>
        {entry.form_id !== undefined && (
          <ButtonLink isSmall href={`/console/forms/${entry.form_id}`}>
            {say.openForm}
          </ButtonLink>
        )}
      </div>
    </Dialog>
  );
}

function Actor({ entry: { actor } }: { entry: AuditEntry }) {
  const say = useWords('auditLog').page;
  const nameOf = useActorName();
  const via = actor.via === undefined ? undefined : { session: say.session, api_key: say.apiKey }[actor.via];
  return (
    <>
      <span dir="auto">{nameOf(actor)}</span>
      {actor.email !== undefined && (
        <span className="muted" dir="auto">
          {' '}
          {actor.email}
        </span>
      )}
      {via !== undefined && (
        <div className="muted">
          {say.via}: {via} <code>{actor.credential_id}</code>
        </div>
      )}
    </>
  );
}

const Detail = ({ name, value }: { name: string; value: unknown }) => (
  <>
    <dt>{name.replaceAll('_', ' ')}</dt>
    <dd dir="auto">{Array.isArray(value) ? value.join(', ') : String(value)}</dd>
  </>
);
