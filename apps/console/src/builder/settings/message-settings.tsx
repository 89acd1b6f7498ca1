import { messageKinds, type Field } from '@sheaf/contracts';
import { TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { useFaultText } from './part-field';
import { Settings } from './settings';

type Kind = (typeof messageKinds)[number];

/** The wrong answers that a field can have, by its rules. */
const canBe: Readonly<Record<Kind, (field: Field) => boolean>> = {
  required: ({ required }) => required,
  pattern: ({ pattern }) => pattern !== undefined,
  min: ({ min, min_length, min_date, min_choices }) => [min, min_length, min_date, min_choices].some((bound) => bound !== undefined),
  max: ({ max, max_length, max_date, max_choices }) => [max, max_length, max_date, max_choices].some((bound) => bound !== undefined),
};

/** The author's own messages about wrong answers. One whose rule is gone stays in sight, so that it can be taken away. */
export function MessageSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const kinds = messageKinds.filter((kind) => canBe[kind](field) || field.messages?.[kind] !== undefined);
  if (kinds.length === 0) return null;
  return (
    <Settings title={say.messages}>
      <p className="muted">{say.messagesHelp}</p>
      {kinds.map((kind) => (
        <Message key={kind} entry={entry} field={field} kind={kind} />
      ))}
    </Settings>
  );
}

function Message({ entry: { id }, field: { messages }, kind }: { entry: Entry; field: Field; kind: Kind }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const set = (text: string) => {
    const kept = Object.entries({ ...messages, [kind]: text }).filter(([, each]) => each !== '');
    edit({ do: 'change', id, to: { messages: kept.length === 0 ? undefined : Object.fromEntries(kept) } });
  };
  const labels = { required: say.messageRequired, pattern: say.messagePattern, min: say.messageMin, max: say.messageMax };
  return (
    <TextField
      label={labels[kind]}
      value={messages?.[kind] ?? ''}
      fault={useFaultText(id, `messages.${kind}`)}
      maxLength={300}
      onChange={set}
    />
  );
}
